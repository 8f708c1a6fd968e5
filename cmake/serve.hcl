# Options of hclvm-serve as a service: copy this to /etc/hclvm/serve.hcl. `man hclvm-serve` lists them all.

bundle = "/etc/hclvm/bundle"
listen = ["127.0.0.1:8181"]
# With hclvm-serve.socket, for nginx: listen = ["nginx@systemd:auth"]

# What the service keeps: folders that the unit makes, for it alone.
state        = "/var/lib/hclvm/revision"
decision_log = "/var/log/hclvm/decisions.log"

# Secrets come as credentials of the unit: systemctl edit hclvm-serve, with
#   [Service]
#   LoadCredential=admin-token:/etc/hclvm/admin-token
# admin_listen     = ["unix:/run/hclvm/admin.sock"]
# admin_token_file = "credential:admin-token"
