"""Values of HCL that Python has no type for."""


class Unknown:
    """A value that is not known yet, of the type `type` in HCL's syntax: `Unknown("list(string)")`.

    It has no truth value, so that a decision that is not known is not taken for one.
    """

    __slots__ = ("_type",)

    def __init__(self, type="any"):
        if not isinstance(type, str):
            raise TypeError("the type of an unknown value is a string, such as \"list(string)\"")
        self._type = type

    @property
    def type(self):
        """The type, in HCL's syntax."""
        return self._type

    def __bool__(self):
        raise TypeError("an unknown value is neither true nor false")

    def __eq__(self, other):
        return self._type == other._type if isinstance(other, Unknown) else NotImplemented

    def __hash__(self):
        return hash(("hclvm.Unknown", self._type))

    def __repr__(self):
        return f"hclvm.Unknown({self._type!r})"

    def __reduce__(self):
        return type(self), (self._type,)


class Dynamic(Unknown):
    """A value of which nothing is known, not even the type. All are equal, also to `Unknown("any")`."""

    __slots__ = ()

    def __init__(self):
        super().__init__("any")

    def __repr__(self):
        return "hclvm.Dynamic()"

    def __reduce__(self):
        return Dynamic, ()


class Typed:
    """A `value` of a `type` in HCL's syntax: `Typed([1, 2], "list(number)")`, where a list alone would be a tuple.

    The value is converted when it is read. Results are never of this class.
    """

    __slots__ = ("value", "type")

    def __init__(self, value, type):
        if not isinstance(type, str):
            raise TypeError("the type of a value is a string, such as \"list(string)\"")
        self.value = value
        self.type = type

    def __repr__(self):
        return f"hclvm.Typed({self.value!r}, {self.type!r})"


class Marked:
    """A `value` with `marks`, names such as "sensitive", which go with all that is made of it.

    It has no truth value; `value` is what is marked.
    """

    __slots__ = ("_value", "_marks")

    def __init__(self, value, marks=("sensitive",)):
        if isinstance(marks, str):
            raise TypeError("the marks are several names, not a string")
        self._value = value
        self._marks = frozenset(marks)
        if not self._marks or not all(isinstance(mark, str) for mark in self._marks):
            raise TypeError("the marks of a value are one or more strings")

    @property
    def value(self):
        """The value without these marks."""
        return self._value

    @property
    def marks(self):
        """The names of the marks."""
        return self._marks

    def __bool__(self):
        raise TypeError("a marked value is neither true nor false: ask its value")

    def __eq__(self, other):
        return (self._value, self._marks) == (other._value, other._marks) if isinstance(other, Marked) else NotImplemented

    __hash__ = None

    def __repr__(self):
        # What is marked is not for logs.
        return f"hclvm.Marked(..., marks={sorted(self._marks)!r})"

    def __reduce__(self):
        return Marked, (self._value, self._marks)
