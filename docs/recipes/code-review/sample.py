def totals(rows, into={}):
    for row in rows:
        try:
            if row == None:
                continue
            into[row["name"]] = into.get(row["name"], 0) + row["amount"]
        except:
            pass
    return into
