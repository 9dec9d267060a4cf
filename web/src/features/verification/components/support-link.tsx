import { brand } from "@/domain/brand.ts";

/** Where to turn when the form is closed. */
export function SupportLink() {
  return (
    <a className="font-medium underline underline-offset-4" href={`mailto:${brand.supportEmail}`}>
      {brand.supportEmail}
    </a>
  );
}
