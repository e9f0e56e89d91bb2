import { h } from "./elements.js";
import { Description } from "./openapi.js";
import { showOperation } from "./operation.js";
import { refusal, send } from "./session.js";
import { showSession } from "./sign-in.js";

const search = document.getElementById("search");
const main = document.getElementById("operation");
let description = null;

const signIn = showSession(
  document.getElementById("session"),
  document.getElementById("sign-in"),
  load,
);

async function load() {
  try {
    const response = await send("/api/openapi.json");
    if (response.status === 401 || response.status === 403) return refuse(await refusal(response));
    if (!response.ok) throw new Error(await refusal(response));
    description = new Description(await response.json());
  } catch (error) {
    main.replaceChildren(h("p", { class: "notice bad", role: "alert" }, `The description can't be read: ${error.message}`));
    return;
  }
  const { title, version } = description.document.info ?? {};
  document.getElementById("title").textContent = `${title ?? "API"} ${version ?? ""}`;
  list();
  show();
}

function refuse(sentence) {
  description = null;
  list();
  main.replaceChildren(
    h("h2", null, "Sign in to see the API"),
    h("p", null, sentence),
    h("p", null, h("button", { class: "main", type: "button", onclick: signIn }, "Sign in")),
  );
}

// The operations that have every word that is searched for.
function list() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (operation) => {
    const text = `${operation.method} ${operation.path} ${operation.summary} ${operation.id} ${operation.tag}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  let count = 0;
  const groups = (description?.byTag() ?? []).map(([tag, operations]) => {
    const found = operations.filter(fits);
    count += found.length;
    return found.length ? [h("h2", null, tag), h("ul", null, found.map(entry))] : [];
  });
  document.getElementById("operations").replaceChildren(...groups.flat());
  const all = description?.operations.length ?? 0;
  document.getElementById("count").textContent = !all
    ? ""
    : words.length ? `${count} of ${all} operations` : `${all} operations`;
}

function entry(operation) {
  const isShown = operation.id === shown();
  return h(
    "li",
    null,
    h(
      "a",
      { href: `#${operation.id}`, "aria-current": isShown ? "true" : null },
      h("span", { class: `method ${operation.method}` }, operation.method.toUpperCase()),
      h("span", { class: "path" }, parts(operation.path)),
      h("span", { class: "summary" }, operation.summary),
    ),
  );
}

// The path, which may be broken after a slash only.
function parts(path) {
  return path.split(/(?<=\/)/).flatMap((part) => [h("wbr"), part]);
}

// The operation that the address names, and values for its parameters: `#get_alert?id=7`.
function shown() {
  return decodeURIComponent(location.hash.slice(1).split("?", 1)[0]);
}

function given() {
  return new URLSearchParams(location.hash.split("?").slice(1).join("?"));
}

// Shows the operation that the address names, and marks it in the list.
function show() {
  if (!description) return;
  const operation = description.operations.find((one) => one.id === shown());
  for (const link of document.querySelectorAll("nav li a")) {
    if (operation && link.hash === `#${operation.id}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  if (operation) {
    document.title = `${operation.method.toUpperCase()} ${operation.path}`;
    showOperation(main, operation, description, signIn, given());
  } else {
    document.title = "API";
    main.replaceChildren(
      h("h2", null, description.document.info?.title ?? "API"),
      h("p", null, description.document.info?.description ?? ""),
      h("p", { class: "quiet" }, "Choose an operation. The key / goes to the search."),
      h("p", null, h("a", { href: "/api/openapi.json", onclick: save }, "Save the OpenAPI document")),
    );
  }
}

// With the token, which a plain link wouldn't send.
function save(event) {
  event.preventDefault();
  const text = JSON.stringify(description.document, null, 2);
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  h("a", { href: address, download: "openapi.json" }).click();
  URL.revokeObjectURL(address);
}

search.addEventListener("input", list);
addEventListener("hashchange", () => {
  show();
  main.focus({ preventScroll: true });
  main.scrollIntoView({ block: "start" });
});
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.closest("input, textarea, select, dialog")) return;
  event.preventDefault();
  search.focus();
});
load();
