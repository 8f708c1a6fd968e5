"""Bounds on input and work."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Limits:
    """Bounds, each with the default that the library has; docs/limits.md says what each is for.

    A zero is a very tight limit, and not "unlimited".
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
