// Reads an OpenAPI document: its operations, and what schemas ask for.
const methods = ["get", "put", "post", "delete", "patch", "head", "options"];

export class Description {
  constructor(document) {
    this.document = document;
    this.operations = [];
    for (const [path, item] of Object.entries(document.paths ?? {})) {
      for (const method of methods) {
        if (item[method]) this.operations.push(this.operation(path, method, item));
      }
    }
  }

  operation(path, method, item) {
    const own = item[method];
    const parameters = [...(item.parameters ?? []), ...(own.parameters ?? [])];
    return {
      id: own.operationId ?? `${method} ${path}`,
      method,
      path,
      tag: own.tags?.[0] ?? "other",
      summary: own.summary ?? "",
      description: own.description ?? "",
      parameters: parameters.map((parameter) => this.resolved(parameter)),
      body: own.requestBody ? this.resolved(own.requestBody) : null,
      responses: Object.entries(own.responses ?? {}).map(([status, response]) => ({
        status,
        ...this.resolved(response),
      })),
      isOpen: Array.isArray(own.security) && own.security.length === 0,
      scope: own["x-scope"] ?? "",
    };
  }

  // Follows $ref within the document.
  resolved(value, hops = 0) {
    const reference = value?.$ref;
    if (typeof reference !== "string" || !reference.startsWith("#/") || hops > 20) return value ?? {};
    const steps = reference.slice(2).split("/");
    const found = steps.reduce(
      (place, step) => place?.[step.replaceAll("~1", "/").replaceAll("~0", "~")],
      this.document,
    );
    return this.resolved({ ...found, ...without(value, "$ref") }, hops + 1);
  }

  byTag() {
    const tags = new Map((this.document.tags ?? []).map((tag) => [tag.name, []]));
    for (const operation of this.operations) {
      if (!tags.has(operation.tag)) tags.set(operation.tag, []);
      tags.get(operation.tag).push(operation);
    }
    return [...tags].filter(([, operations]) => operations.length > 0);
  }

  // A value that a schema takes, as far as that can be told.
  example(schema, depth = 0) {
    const shape = this.resolved(schema);
    for (const found of [shape.example, shape.examples?.[0], shape.default, shape.const, shape.enum?.[0]]) {
      if (found !== undefined) return found;
    }
    const choice = shape.oneOf?.[0] ?? shape.anyOf?.[0] ?? shape.allOf?.[0];
    if (choice && !shape.properties) return this.example(choice, depth + 1);
    switch (kinds(shape)[0]) {
      case "object": return this.exampleObject(shape, depth);
      case "array": return depth > 6 ? [] : [this.example(shape.items ?? {}, depth + 1)];
      case "integer": case "number": return shape.minimum ?? 0;
      case "boolean": return false;
      case "string": return "";
      default: return shape.properties ? this.exampleObject(shape, depth) : null;
    }
  }

  exampleObject(shape, depth) {
    if (depth > 6) return {};
    const required = new Set(shape.required ?? []);
    const names = Object.keys(shape.properties ?? {}).filter(
      (name) => required.has(name) || required.size === 0,
    );
    return Object.fromEntries(
      names.map((name) => [name, this.example(shape.properties[name], depth + 1)]),
    );
  }

  // What a schema asks for, in words: `integer from 1 to 10`.
  phrase(schema) {
    const shape = this.resolved(schema);
    if (shape.const !== undefined) return JSON.stringify(shape.const);
    if (shape.enum) return shape.enum.map((value) => JSON.stringify(value)).join(" or ");
    const choices = shape.oneOf ?? shape.anyOf;
    if (choices && !shape.type) return choices.map((one) => this.phrase(one)).join(", or ");
    let words = kinds(shape).join(" or ") || (shape.properties ? "object" : "anything");
    if (kinds(shape)[0] === "array" && shape.items) words = `list of ${this.phrase(shape.items)}`;
    if (shape.format) words += ` (${shape.format})`;
    const [low, high] = [shape.minimum ?? shape.minLength, shape.maximum ?? shape.maxLength];
    const unit = shape.minLength !== undefined || shape.maxLength !== undefined ? " characters" : "";
    if (unit && low === 1 && high === undefined) words += ", not empty";
    else if (low !== undefined && high !== undefined) words += ` from ${low} to ${high}${unit}`;
    else if (low !== undefined) words += ` from ${low}${unit}`;
    else if (high !== undefined) words += ` up to ${high}${unit}`;
    return words;
  }
}

function kinds(shape) {
  return [shape.type ?? []].flat();
}

function without(value, key) {
  const { [key]: _, ...rest } = value;
  return rest;
}
