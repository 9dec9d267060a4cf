let framesMade = 0;

/** The iframe with an Element's fields, at its final height to avoid a layout shift. */
export function newFrame(src, title, height) {
  const frame = document.createElement("iframe");
  framesMade += 1;
  frame.name = `__privateStripeFrame${framesMade}`;
  frame.title = title;
  // Without an origin of its own the frame cannot be read by the page, wherever the sandbox is served.
  frame.setAttribute("sandbox", "allow-scripts allow-forms");
  frame.setAttribute("allow", "payment *");
  frame.setAttribute("scrolling", "no");
  Object.assign(frame.style, {
    border: "0",
    margin: "0",
    padding: "0",
    width: "1px",
    minWidth: "100%",
    display: "block",
    overflow: "hidden",
    // The frame is transparent only while page and frame agree on this.
    colorScheme: "light only",
    height,
  });
  frame.src = src;
  return frame;
}

export function wrapFrame(frame) {
  const wrapper = document.createElement("div");
  wrapper.className = "__PrivateStripeElement";
  Object.assign(wrapper.style, { margin: "0", padding: "0", border: "none", display: "block" });
  wrapper.append(frame);
  return wrapper;
}

/** Sets the element's state as class names on its container; the page may choose the names. */
export function showClasses(container, names, states) {
  for (const [state, isOn] of Object.entries(states)) {
    const fallback = state === "base" ? "StripeElement" : `StripeElement--${state}`;
    for (const name of (names[state] ?? fallback).split(/\s+/)) {
      if (name !== "") container.classList.toggle(name, isOn);
    }
  }
}

/** A click on the container's label or padding focuses the card number. */
export function focusByLabel(container, focus, signal) {
  const label =
    container.closest("label") ??
    (container.id === ""
      ? null
      : document.querySelector(`label[for="${CSS.escape(container.id)}"]`));
  label?.addEventListener("click", focus, { signal });
  const isOwn = (event) => event.target === container;
  container.addEventListener("click", (event) => isOwn(event) && focus(), { signal });
}
