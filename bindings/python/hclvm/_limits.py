"""Bounds on input and work."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Limits:
    """Bounds, each with the default that the library has; docs/limits.md says more of each.

    A zero is a very tight limit, and not "unlimited". Of texts: `max_source_bytes` and `max_nesting_depth`, which is that of
    values as well. Of messages: `max_diagnostics`. Of compiling: `max_compile_fuel` units of work, and `max_prepared_bytes`
    that a program may keep beside its code. Of a run: `max_fuel` units of work, `max_result_bytes` that it may make,
    `max_number_digits` of a number, and `max_output_bytes` of a text that is written of a value.
    """

    max_source_bytes: int = 256 << 20
    max_nesting_depth: int = 512
    max_diagnostics: int = 100
    max_fuel: int = 100_000_000
    max_result_bytes: int = 256 << 20
    max_number_digits: int = 100_000
    max_compile_fuel: int = 10_000_000
    max_prepared_bytes: int = 32 << 20
    max_output_bytes: int = 256 << 20
