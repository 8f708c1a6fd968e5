"""Data of the standard library and of other packages, as data that HCL has values for.

No package is imported here: an object is told by where its type comes from.
"""

import datetime

_PACKAGES = ("numpy", "pandas", "polars", "pyarrow")
# So many rows of a table become dicts at a time.
_ROWS = 4096


def _package_of(value):
    return type(value).__module__.partition(".")[0]


def plain(value):
    """(True, data) with what `value` stands for, (False, message) where something has to be done first, or NotImplemented."""
    name = type(value).__name__
    if name in ("NaTType", "NAType"):  # what pandas has for None
        return True, None
    if isinstance(value, datetime.datetime):
        offset = value.utcoffset()
        if offset is None:
            advice = ('value.tz_localize("UTC"), or column.dt.tz_localize("UTC")' if _package_of(value) == "pandas"
                      else "value.replace(tzinfo=datetime.timezone.utc)")
            return False, f"is a datetime without a time zone, which a timestamp of HCL needs: {advice}"
        if offset % datetime.timedelta(minutes=1):  # RFC 3339 has no seconds there
            value = value.astimezone(datetime.timezone.utc)
        return True, value.isoformat().replace("+00:00", "Z")
    if isinstance(value, datetime.date):
        return True, value.isoformat()
    if _package_of(value) not in _PACKAGES:
        return NotImplemented
    if name in ("DataFrame", "LazyFrame", "Table"):
        return False, f"is a {name}: run_many() takes its rows as scopes"
    for method in ("tolist", "to_list", "to_pylist", "as_py"):
        if hasattr(value, method):
            data = getattr(value, method)()
            # Some scalars have no counterpart in Python, and give themselves.
            return NotImplemented if type(data) is type(value) else (True, data)
    return NotImplemented


def _pandas_rows(table):
    for start in range(0, len(table), _ROWS):
        part = table.iloc[start : start + _ROWS]
        yield from part.astype(object).where(part.notna(), None).to_dict("records")


def rows(scopes):
    """The rows of a table as dicts, column name to value, with None for what is missing; anything else as it is."""
    if type(scopes).__name__ != "DataFrame":
        return scopes
    package = _package_of(scopes)
    if package == "pandas":
        return _pandas_rows(scopes)
    return scopes.iter_rows(named=True) if package == "polars" else scopes
