import { arranged, h, json } from "./elements.js";
import { send, session } from "./session.js";
import { readEvents, readLines } from "./stream.js";

// The pieces of a stream that are shown; older ones go.
const most = 500;

// What sends an operation and shows the answer: the form's action, and its buttons.
export function request(operation, fields, body, result, signIn) {
  let running = null;
  const start = h("button", { class: "main" }, "Send");
  const stop = h("button", { type: "button", disabled: true, onclick: () => running?.abort() }, "Stop");
  const curl = h("button", { type: "button", onclick: () => showCommand(operation, fields, body, result) }, "As a command");
  const submit = async (event) => {
    event.preventDefault();
    running?.abort();
    const own = new AbortController();
    running = own;
    start.disabled = true;
    stop.disabled = false;
    try {
      await run(operation, fields, body, result, signIn, own.signal);
    } catch (error) {
      result.append(h("p", { class: own.signal.aborted ? "quiet" : "notice bad" },
        own.signal.aborted ? "Stopped." : `No response: ${error.message}`));
    }
    start.disabled = false;
    stop.disabled = true;
  };
  return { submit, buttons: [start, stop, curl] };
}

function prepared(operation, fields, body) {
  let path = operation.path;
  const query = new URLSearchParams();
  const headers = {};
  for (const { parameter, input } of fields) {
    const value = input.value;
    if (parameter.in === "path") path = path.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else if (value === "") continue;
    else if (parameter.in === "query") query.append(parameter.name, value);
    else if (parameter.in === "header") headers[parameter.name] = value;
  }
  const content = body?.input.value;
  if (content) headers["Content-Type"] = body.choice.value;
  const tail = query.size ? `?${query}` : "";
  return { address: path + tail, method: operation.method.toUpperCase(), headers, content };
}

async function run(operation, fields, body, result, signIn, signal) {
  const { address, method, headers, content } = prepared(operation, fields, body);
  const streams = operation.responses.flatMap((response) => Object.keys(response.content ?? {}));
  if (streams.includes("text/event-stream")) headers.Accept = "text/event-stream";
  result.replaceChildren(h("p", { class: "quiet" }, "Waiting for the response…"));
  const begin = performance.now();
  const response = await send(address, { method, headers, body: content || undefined, signal });
  const time = Math.round(performance.now() - begin);
  const kind = response.status < 300 ? "good" : response.status < 500 ? "doubtful" : "bad";
  const heading = h("p", null,
    h("span", { class: `status ${kind}` }, `${response.status} ${response.statusText}`),
    h("span", { class: "quiet" }, ` after ${time} ms`));
  result.replaceChildren(h("h3", null, "Answer"), heading, headersOf(response));
  if (response.status === 401) {
    result.append(h("p", null, h("button", { type: "button", onclick: signIn }, "Sign in")));
  }
  await showBody(response, result);
}

function headersOf(response) {
  const rows = [...response.headers].map(([name, value]) =>
    h("tr", null, h("th", { scope: "row", class: "mono" }, name), h("td", { class: "mono" }, value)));
  return h("details", null, h("summary", null, `${rows.length} headers`), h("table", null, h("tbody", null, rows)));
}

async function showBody(response, result) {
  const type = (response.headers.get("Content-Type") ?? "").split(";")[0];
  if (type === "text/event-stream") {
    const add = streamed(result);
    return readEvents(response, (name, id, data) => add(id ? `${name} ${id}` : name, data));
  }
  if (type === "application/x-ndjson") {
    const add = streamed(result);
    return readLines(response, (line) => add("", line));
  }
  if (/json$/.test(type)) {
    const text = await response.text();
    return result.append(json(arranged(text)));
  }
  if (type.startsWith("text/")) return result.append(h("pre", { tabindex: "0" }, await response.text()));
  const blob = await response.blob();
  if (blob.size === 0) return result.append(h("p", { class: "quiet" }, "No body."));
  const address = URL.createObjectURL(blob);
  const name = response.headers.get("Content-Disposition")?.match(/filename="([^"]+)"/)?.[1] ?? "answer";
  result.append(h("p", null, h("a", { href: address, download: name }, `Save ${name} (${blob.size} bytes)`)));
}

// Shows what comes, the newest last, and how much it was.
function streamed(result) {
  const count = h("p", { class: "quiet", role: "status" }, "Nothing yet.");
  const list = h("div", { tabindex: "0", role: "log", "aria-label": "What came" });
  result.append(count, list);
  let seen = 0;
  return (title, data) => {
    seen += 1;
    count.textContent = seen === 1 ? "1 came so far." : `${seen} came so far.`;
    list.append(h("div", null, title ? h("span", { class: "quiet mono" }, title) : null, json(arranged(data))));
    if (list.childElementCount > most) list.firstElementChild.remove();
  };
}

// The request for a shell. The token stays out: it would end up in the shell's history.
function showCommand(operation, fields, body, result) {
  const { address, method, headers, content } = prepared(operation, fields, body);
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const words = ["curl", method === "GET" ? "" : `-X ${method}`, quoted(location.origin + address)];
  if (session() && !operation.isOpen) words.push('-H "Authorization: Bearer $TOKEN"');
  for (const [name, value] of Object.entries(headers)) words.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (content) words.push(`-d ${quoted(content)}`);
  result.replaceChildren(h("h3", null, "As a command"), h("pre", { tabindex: "0" }, words.filter(Boolean).join(" ")));
}
