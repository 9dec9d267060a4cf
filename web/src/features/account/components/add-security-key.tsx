import { useBackend } from "@/lib/backend.tsx";
import { addSecurityKey } from "../api/second-factor.ts";
import { keyFactorStrings } from "../strings/security-keys.ts";
import { explainKeyError } from "./explain-key-error.ts";
import { NameDevice } from "./name-device.tsx";

/** Adds a security key or passkey as second factor: a name for it, then the browser asks for it. */
export function AddSecurityKey({
  onDone,
  onCancel,
}: {
  readonly onDone: () => void;
  readonly onCancel: () => void;
}) {
  const { client } = useBackend();

  async function add(name: string): Promise<string | null> {
    try {
      await addSecurityKey(client, name);
    } catch (error) {
      console.error("The security key was not added", error);
      return explainKeyError(error);
    }
    onDone();
    return null;
  }

  return (
    <NameDevice
      label={keyFactorStrings.name}
      hint={keyFactorStrings.nameHint}
      onSubmit={add}
      onCancel={onCancel}
    />
  );
}
