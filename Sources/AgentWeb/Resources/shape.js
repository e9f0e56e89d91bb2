import { h } from "./elements.js";

// What a schema asks for, as a list with its members beneath it.
export function shape(schema, description) {
  const list = members(schema, description, 0);
  return list ?? h("p", null, description.phrase(schema));
}

function members(schema, description, depth) {
  const resolved = description.resolved(schema);
  if (depth > 5) return null;
  if (resolved.items) return members(resolved.items, description, depth);
  const parts = [resolved, ...(resolved.allOf ?? []).map((one) => description.resolved(one))];
  const required = new Set(parts.flatMap((part) => part.required ?? []));
  const entries = parts.flatMap((part) => Object.entries(part.properties ?? {}));
  if (entries.length === 0) return null;
  return h("ul", { class: "shape" }, entries.map(([name, member]) => {
    const inner = description.resolved(member);
    return h(
      "li",
      null,
      h("span", { class: "mono" }, name),
      " ",
      h("span", { class: "quiet" }, description.phrase(member)),
      required.has(name) ? [" ", h("span", { class: "required" }, "required")] : null,
      inner.description ? `: ${inner.description}` : null,
      members(inner, description, depth + 1),
    );
  }));
}
