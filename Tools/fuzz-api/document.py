"""The operations of an OpenAPI document, and requests for them."""

# Operations that would end the test, write files anywhere or take minutes; they are tried elsewhere.
LEFT_OUT = {"stop_agent", "set_up", "sign_out", "backup", "make_support_bundle", "reload", "compact_store"}
# Operations that cost much, and are called seldom.
SELDOM = {"get_diagnostics", "verify_audit", "export_state", "scrape_metrics", "get_metrics", "get_openapi",
          "add_user", "sign_in", "change_user", "change_settings", "add_process", "remove_process",
          "enable_process", "disable_process", "enable_module", "disable_module", "reload_module",
          "restart_process", "start_process", "stop_process"}
# How long somebody waits for an answer who may say so.
WAITS = {"wait_ms", "timeout_ms", "within_ms"}


class Operation:
    def __init__(self, method, path, json):
        self.method = method.upper()
        self.path = path
        self.name = json["operationId"]
        self.parameters = [p for p in json.get("parameters", []) if p["in"] == "query"]
        content = json.get("requestBody", {}).get("content", {})
        self.body = content.get("application/json", {}).get("schema")
        # Operations that make or change something come more often than those that only read.
        self.weight = 1 if self.name in SELDOM else 20 if self.method == "GET" else 60

    def request(self, values, known):
        """Method, target, body as text or None, and whether it must be refused."""
        rng = values.rng
        parts = []
        of = ""
        for part in self.path.split("/"):
            if part.startswith("{"):
                name = part.strip("{}.")
                pools = [pool for pool in (f"{of}/{name}", f"{of}/id", f"{of}/name") if known.get(pool)]
                pool = rng.choice(pools) if pools else name
                parts.append(values.parameter(pool, {"type": "string"}, known))
            else:
                parts.append(part)
                of = part
        target = "/".join(parts)
        query = []
        for parameter in self.parameters:
            name = parameter["name"]
            # What is left out may mean a minute.
            if name in WAITS or rng.random() < 0.3:
                value = "1" if name in WAITS else values.parameter(name, parameter.get("schema", {}), known)
                query.append(f"{name}={value}")
        if query:
            target += "?" + "&".join(query)
        if self.body is None:
            return self.method, target, None, False
        schema = values.resolved(self.body)
        body = values.text(self.body, known)
        refused = False
        if schema.get("additionalProperties") is False and body.startswith("{") and rng.random() < 0.05:
            body = body[:-1] + (',"nme":1}' if len(body) > 2 else '"nme":1}')
            refused = True
        for name in WAITS:
            body = body.replace(f'"{name}":', f'"{name}":1,"_":') if f'"{name}":' in body else body
        return self.method, target, body, refused


def operations(document):
    return [
        Operation(method, path, json)
        for path, item in document["paths"].items() for method, json in item.items()
        if json["operationId"] not in LEFT_OUT]
