/** Shows the bank's or a wallet's question in a dialog; resolves to the message of its frame when it is answered. */
export function showChallenge(url, title = "3D Secure authentication") {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-label", title);
  Object.assign(dialog.style, {
    position: "fixed",
    inset: "0",
    width: "100%",
    height: "100%",
    maxWidth: "none",
    maxHeight: "none",
    margin: "0",
    padding: "16px",
    border: "0",
    boxSizing: "border-box",
    background: "rgba(10, 12, 20, 0.6)",
    display: "grid",
    placeItems: "center",
  });
  const frame = document.createElement("iframe");
  frame.name = "stripe-challenge-frame";
  frame.title = title;
  frame.setAttribute("sandbox", "allow-scripts allow-forms");
  Object.assign(frame.style, {
    width: "min(440px, 100%)",
    height: "min(480px, 100%)",
    border: "0",
    borderRadius: "14px",
    boxShadow: "0 20px 60px rgba(0, 0, 0, 0.35)",
    background: "Canvas",
  });
  frame.src = url;
  dialog.append(frame);
  // Closing the dialog would leave the payment open; the frame has a button to fail it.
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  document.body.append(dialog);
  dialog.showModal();
  frame.focus();
  return new Promise((resolve) => {
    const onMessage = (event) => {
      if (event.source !== frame.contentWindow) return;
      if (event.data?.type !== "stripe-sandbox-challenge-answered") return;
      removeEventListener("message", onMessage);
      dialog.close();
      dialog.remove();
      resolve(event.data);
    };
    addEventListener("message", onMessage);
  });
}
