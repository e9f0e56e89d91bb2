"""Reads answers of OBD-II (SAE J1979): values by their PID, and trouble codes."""
VALUES = {
    0x04: ("engine_load_percent", lambda a, *_: round(a * 100 / 255, 1)),
    0x05: ("coolant_celsius", lambda a, *_: a - 40),
    0x0C: ("engine_rpm", lambda a, b, *_: (a * 256 + b) / 4),
    0x0D: ("speed_kmh", lambda a, *_: a),
}


def trouble(first, second):
    """P0133 and the like: two bits for the letter, two for the first digit, three hexadecimal ones."""
    return f"{'PCBU'[first >> 6]}{first >> 4 & 3}{first & 15:X}{second:02X}"


def diagnose(context):
    answers = [bytes.fromhex(text) for text in context["data"]["answers"]]
    values, codes = {}, []
    for number, answer in enumerate(answers, 1):
        print(f"::progress {number / len(answers)} answer {number} of {len(answers)}")
        if answer[0] == 0x41 and answer[1] in VALUES:
            name, read = VALUES[answer[1]]
            values[name] = read(*answer[2:])
        elif answer[0] == 0x43:
            pairs = zip(answer[1::2], answer[2::2])
            codes += [trouble(*pair) for pair in pairs if pair != (0, 0)]
    return {"values": values, "trouble_codes": codes}
