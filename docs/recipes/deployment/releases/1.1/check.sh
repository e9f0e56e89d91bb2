grep -q "open" current/index.html
