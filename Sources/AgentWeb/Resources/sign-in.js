import { h } from "./elements.js";
import { keep, session, signIn, signOut } from "./session.js";

// Shows who is signed in, and lets somebody sign in or out. Calls `changed` after either.
export function showSession(place, dialog, changed) {
  const update = () => {
    const now = session();
    place.replaceChildren(
      ...(now
        ? [
            h("span", { class: "quiet" }, now.name ? `Signed in as ${now.name}` : "Signed in"),
            h("button", { type: "button", onclick: leave }, "Sign out"),
          ]
        : [h("button", { type: "button", class: "main", onclick: open }, "Sign in")]),
    );
  };
  const leave = async () => {
    await signOut();
    update();
    changed();
    place.querySelector("button").focus();
  };
  const open = () => {
    dialog.replaceChildren(form(signedIn, () => dialog.close()));
    dialog.showModal();
  };
  const signedIn = (value) => {
    keep(value);
    dialog.close();
    update();
    changed();
  };
  update();
  return open;
}

function form(signedIn, cancel) {
  const trouble = h("p", { class: "bad", role: "alert" });
  const token = h("input", { id: "token", name: "token", type: "password", autocomplete: "off", spellcheck: "false" });
  const name = h("input", { id: "name", name: "name", autocomplete: "username", spellcheck: "false" });
  const password = h("input", { id: "password", name: "password", type: "password", autocomplete: "current-password" });
  const attempt = async (event) => {
    event.preventDefault();
    trouble.replaceChildren();
    try {
      if (token.value.trim()) signedIn({ token: token.value.trim() });
      else signedIn(await signIn(name.value, password.value));
    } catch (error) {
      trouble.replaceChildren(error.message);
    }
  };
  return h(
    "form",
    { onsubmit: attempt },
    h("h2", { id: "sign-in-title" }, "Sign in"),
    h("p", { class: "quiet" }, "It is remembered until this tab is closed."),
    h("div", { class: "field" }, h("label", { for: "name" }, "Name"), name),
    h("div", { class: "field" }, h("label", { for: "password" }, "Password"), password),
    h(
      "fieldset",
      null,
      h("legend", null, "or a token"),
      h("label", { for: "token" }, "Token"),
      token,
      h("p", { class: "quiet" }, "agent token create NAME --scope read makes one."),
    ),
    trouble,
    h(
      "div",
      { class: "actions" },
      h("button", { class: "main" }, "Sign in"),
      h("button", { type: "button", onclick: cancel }, "Cancel"),
    ),
  );
}
