// Calls FUNCTION of FILE with the JSON on standard input, and writes what it returns, or what went
// wrong, to descriptor 3. Run as: node -e THIS -- FILE FUNCTION
const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");

function answer(status, members) {
  const bytes = Buffer.from(JSON.stringify(members));
  for (let sent = 0; sent < bytes.length; ) sent += fs.writeSync(3, bytes, sent);
  process.exit(status);
}

function fail(error, final = true) {
  answer(1, { error, final });
}

async function find(file, name) {
  const module = await import(pathToFileURL(path.resolve(file)).href);
  for (const start of [module, module.default]) {
    const found = name.split(".").reduce((value, part) => value?.[part], start);
    if (typeof found === "function") return found;
  }
  return fail(`${file}: there is no function ${name} that it exports.`);
}

async function main(file, name) {
  if (!fs.existsSync(file)) fail(`${file}: there is no such file.`);
  const context = JSON.parse(fs.readFileSync(0, "utf8"));
  let value;
  try {
    value = await (await find(file, name))(context);
  } catch (error) {
    console.error(error?.stack ?? String(error));
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return fail(text, error?.final === true);
  }
  let members;
  try {
    members = { value: JSON.parse(JSON.stringify(value ?? null)) };
  } catch (error) {
    return fail(`${name} returned what JSON can't say: ${error.message}`);
  }
  answer(0, members);
}

main(...process.argv.slice(1, 3));
