# Calls FUNCTION of FILE with the JSON on standard input, and writes what it returns, or what went
# wrong, to descriptor 3. Run as: python3 -u -c THIS FILE FUNCTION
import asyncio, importlib.util, inspect, json, os, sys, traceback

ANSWER = os.fdopen(3, "w", encoding="utf-8")
os.set_inheritable(3, False)


def answer(status, **members):
    json.dump(members, ANSWER, allow_nan=False)
    ANSWER.flush()
    sys.stdout.flush()
    sys.exit(status)


def fail(message, final=True):
    answer(1, error=message, final=final)


def load(path):
    sys.path[0] = os.path.dirname(os.path.abspath(path))
    spec = importlib.util.spec_from_file_location("task_function", path)
    if spec is None:
        fail(f"{path}: this isn't a Python file. Its name must end with .py.")
    module = importlib.util.module_from_spec(spec)
    sys.modules["task_function"] = module
    spec.loader.exec_module(module)
    return module


def find(path, name):
    found = load(path)
    for part in name.split("."):
        if not hasattr(found, part):
            fail(f"{path}: there is no function {name} in it.")
        found = getattr(found, part)
    if not callable(found):
        fail(f"{path}: {name} can't be called.")
    return found


async def wait(value):
    return await value


def main(path, name):
    if not os.path.isfile(path):
        fail(f"{path}: there is no such file.")
    context = json.load(sys.stdin)
    try:
        value = find(path, name)(context)
        if inspect.isawaitable(value):
            value = asyncio.run(wait(value))
    except Exception as error:
        trace = error.__traceback__
        while trace and trace.tb_frame.f_code.co_filename == "<string>":
            trace = trace.tb_next
        traceback.print_exception(type(error), error, trace)
        text = str(error)
        kind = type(error).__name__
        fail(f"{kind}: {text}" if text else kind, bool(getattr(error, "final", False)))
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        fail(f"{name} returned what JSON can't say: {error}")
    answer(0, value=value)


main(*sys.argv[1:3])
