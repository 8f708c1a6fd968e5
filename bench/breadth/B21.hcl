# A template with loops
# A part of a proxy's configuration.
<<EOT
upstream ${name} {%{ for s in servers }
  server ${s.host}:${s.port}%{ if s.weight != 1 } weight=${s.weight}%{ endif }%{ if s.backup } backup%{ endif };%{ endfor }%{ if sticky }
  ip_hash;%{ endif }
}
EOT
