import "@/ui/styles/app.css";
// Brings the file of packages, which runs before our own code is asked for.
import "react-dom/client";

// Packages, our own code and the first drawing run one after another, each in a task of its own. In one go they kept a slow
// phone from answering a touch for half a second and more.
const { start } = await import("@/app/start.tsx");
await new Promise((resolve) => {
  setTimeout(resolve);
});
await start();
