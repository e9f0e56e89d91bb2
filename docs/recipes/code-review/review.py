"""Reviews a file of Python: what may be wrong, each with its line."""
import ast


def review(context):
    path = context["data"]["file"]
    with open(path) as file:
        text = file.read()
    found = [(number, "longer than 100 letters")
             for number, line in enumerate(text.splitlines(), 1) if len(line) > 100]
    for node in ast.walk(ast.parse(text, path)):
        if isinstance(node, ast.ExceptHandler) and node.type is None:
            found.append((node.lineno, "except without a type catches SystemExit, too"))
        elif isinstance(node, ast.FunctionDef):
            for default in node.args.defaults + node.args.kw_defaults:
                if isinstance(default, (ast.List, ast.Dict, ast.Set)):
                    found.append((default.lineno, "a default that all calls share"))
        elif isinstance(node, ast.Compare) and any(
                isinstance(operator, (ast.Eq, ast.NotEq))
                and isinstance(value, ast.Constant) and value.value is None
                for operator, value in zip(node.ops, node.comparators)):
            found.append((node.lineno, "compare with None by is"))
    for number, words in sorted(found):
        print(f"{path}:{number}: {words}")
    return {"file": path, "findings": len(found)}
