// Shows push messages and opens the page they lead to. It answers no request and keeps nothing: no fetch handler, no cache.

const anything = {
  title: "Fourfold",
  body: "You have a new notification",
  path: "/dashboard",
  tag: "notification",
};

/** What to show. A message that cannot be read is shown without details: browsers want each push to be seen. */
function readMessage(data) {
  try {
    const message = data.json();
    const isText = (value) => typeof value === "string" && value !== "";
    return Object.fromEntries(
      Object.entries(anything).map(([name, standard]) => [
        name,
        isText(message[name]) ? message[name] : standard,
      ]),
    );
  } catch {
    return anything;
  }
}

/** The address of a path of this site; other sites are not opened. */
function addressOf(path) {
  const home = new URL(anything.path, self.location.origin);
  if (typeof path !== "string" || !URL.canParse(path, self.location.origin)) return home.href;
  const address = new URL(path, self.location.origin);
  return address.origin === self.location.origin ? address.href : home.href;
}

/** A window that shows the page already comes to the front; no other window is led away from what it shows. */
async function openPage(path) {
  const address = addressOf(path);
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find(({ url }) => url === address);
  return shown === undefined ? await self.clients.openWindow(address) : await shown.focus();
}

self.addEventListener("push", (event) => {
  const { title, body, path, tag } = readMessage(event.data);
  const icon = "/icons/app-192.png";
  const badge = "/icons/badge-96.png";
  event.waitUntil(
    self.registration.showNotification(title, { body, tag, icon, badge, data: { path } }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data?.path));
});
