import { h } from "./elements.js";
import { request } from "./request.js";
import { shape } from "./shape.js";

// Shows an operation: what it takes, what it answers, and a form that sends it. The form begins with the given
// values, and is sent at once if they say which thing is to be looked at.
export function showOperation(place, operation, description, signIn, given) {
  const fields = operation.parameters.map((parameter) => field(parameter, description));
  const body = operation.body ? bodyField(operation, description) : null;
  const result = h("section", { "aria-label": "Answer", "aria-live": "polite" });
  const work = request(operation, fields, body, result, signIn);
  place.replaceChildren(
    h(
      "h2",
      null,
      h("span", { class: `method ${operation.method}` }, operation.method.toUpperCase()),
      " ",
      h("span", { class: "path" }, operation.path),
    ),
    h("p", null, operation.summary),
    ...operation.description
      .split(/\n{2,}/)
      .filter((text) => text && text !== operation.summary)
      .map((text) => h("p", null, text)),
    h("p", { class: "quiet" }, access(operation)),
    h(
      "form",
      { onsubmit: work.submit },
      fields.length ? h("h3", null, "Parameters") : null,
      fields.map((one) => one.element),
      body?.element,
      h("div", { class: "actions" }, work.buttons),
    ),
    result,
    h("h3", null, "Answers"),
    answers(operation, description),
  );
  const filled = fields.filter(({ parameter }) => given.has(parameter.name));
  for (const { parameter, input } of filled) input.value = given.get(parameter.name);
  // A link may look at a thing, and neither change anything nor ask for work.
  if (filled.length && operation.method === "get" && filled.every(({ parameter }) => parameter.in === "path")) {
    place.querySelector("form").requestSubmit();
  }
}

function access(operation) {
  if (operation.isOpen) return "Open: it needs no token.";
  return operation.scope ? `It needs a token with the scope ${operation.scope}.` : "It needs a token.";
}

function field(parameter, description) {
  const id = `parameter-${parameter.in}-${parameter.name}`;
  const schema = description.resolved(parameter.schema);
  const example = parameter.example ?? schema.example ?? schema.examples?.[0];
  const isChoice = schema.type === "boolean" || Array.isArray(schema.enum);
  const choices = schema.enum ?? [false, true];
  const input = isChoice
    ? h("select", { id }, h("option", { value: "" }, ""), choices.map((one) => h("option", { value: one }, String(one))))
    : h("input", {
        id,
        required: parameter.required,
        spellcheck: "false",
        autocomplete: "off",
        placeholder: example === undefined ? null : String(example),
        "aria-describedby": `${id}-note`,
      });
  const note = [description.phrase(schema), schema.default !== undefined ? `${schema.default} unless given` : null]
    .filter(Boolean).join(", ");
  const element = h(
    "div",
    { class: "field" },
    h("label", { for: id }, h("span", { class: "mono" }, parameter.name), " ",
      h("span", { class: parameter.required ? "required" : "quiet" }, parameter.required ? "required" : `in ${parameter.in}`)),
    input,
    h("span", { class: "quiet", id: `${id}-note` }, [parameter.description, `(${note})`].filter(Boolean).join(" ")),
  );
  return { parameter, input, element };
}

function bodyField(operation, description) {
  const [type, content] = Object.entries(operation.body.content ?? {})[0] ?? ["application/json", {}];
  const schema = content.schema ?? {};
  const example = content.example ?? description.example(schema);
  const isJSON = /json$/.test(type);
  const text = isJSON && example !== undefined && example !== null ? JSON.stringify(example, null, 2) : "";
  const input = h("textarea", { id: "body", spellcheck: "false", autocapitalize: "off", required: operation.body.required, value: text });
  const types = Object.keys(operation.body.content ?? { [type]: {} });
  const choice = h("select", { id: "body-type" }, types.map((one) => h("option", { value: one }, one)));
  return {
    input,
    choice,
    element: h(
      "div",
      { class: "field" },
      h("h3", null, "Body"),
      h("p", { class: "quiet" }, operation.body.description ?? ""),
      types.length > 1 ? [h("label", { for: "body-type" }, "Content type"), choice] : null,
      h("label", { for: "body" }, types.length > 1 ? "Content" : type, " ",
        operation.body.required ? h("span", { class: "required" }, "required") : null),
      input,
      h("details", null, h("summary", null, "Its schema"), shape(schema, description)),
    ),
  };
}

function answers(operation, description) {
  const row = (response) => {
    const [type, content] = Object.entries(response.content ?? {})[0] ?? [];
    return h(
      "tr",
      null,
      h("th", { scope: "row", class: "nowrap" }, response.status),
      h(
        "td",
        null,
        response.description ?? "",
        type ? h("span", { class: "quiet mono" }, ` ${type}`) : null,
        content?.schema && response.status.startsWith("2")
          ? h("details", null, h("summary", null, "Its shape"), shape(content.schema, description))
          : null,
      ),
    );
  };
  return h(
    "table",
    null,
    h("thead", null, h("tr", null, h("th", { scope: "col", class: "nowrap" }, "Status"), h("th", { scope: "col" }, "Meaning"))),
    h("tbody", null, operation.responses.map(row)),
  );
}
