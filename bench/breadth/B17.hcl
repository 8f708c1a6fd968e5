# Rates by tiers
# A bill for electricity: a fee, tiers of use in tenths of cents, and a factor for the time of day; in euros.
(
  (customer.kind == "business" ? 12000 : customer.kind == "home" ? 9500 : 0) +
  (
    use.kwh <= 100 ? use.kwh * 285 :
    use.kwh <= 500 ? 28500 + (use.kwh - 100) * 310 :
    use.kwh <= 2000 ? 152500 + (use.kwh - 500) * 335 :
    655000 + (use.kwh - 2000) * 298
  ) * (use.hour >= 22 || use.hour < 6 ? 80 : use.hour >= 17 && use.hour < 20 ? 125 : 100) / 100 -
  (customer.years > 5 ? 2500 : 0)
) / 1000
