# Validation with patterns
# What is wrong with a sign-up form, as messages.
compact([
  can(regex("^[a-z][a-z0-9_]{2,15}$", form.user)) ? "" : "user: 3 to 16 small letters, digits or _",
  can(regex("^[^@ ]+@[a-z0-9-]+([.][a-z0-9-]+)+$", form.email)) ? "" : "email: ${form.email} is no address",
  form.phone == null ? "" : can(regex("^[+][0-9]{6,14}$", form.phone)) ? "" : "phone: a + and 6 to 14 digits",
  can(regex("^[A-Z]{2}$", form.country)) ? "" : "country: two capital letters",
  can(regex("[0-9]", form.password)) && can(regex("[A-Z]", form.password)) ? "" : "password: needs a digit and a capital letter",
])
