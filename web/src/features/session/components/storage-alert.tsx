import { useState } from "react";
import { findStorageProblem, isInBrowser, openLocalStorage } from "@/lib/browser-storage.ts";
import { Alert } from "@/ui/alert.tsx";
import { storageAlertStrings } from "../strings.ts";

/** Says why the browser keeps no session; nothing where it does. */
export function StorageAlert() {
  const [problem] = useState(() => (isInBrowser ? findStorageProblem(openLocalStorage) : null));
  if (problem === null) return null;
  return (
    <Alert tone="warn" title={storageAlertStrings.title}>
      {storageAlertStrings[problem]}
    </Alert>
  );
}
