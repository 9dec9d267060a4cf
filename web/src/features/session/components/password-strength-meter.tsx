import { Check, Circle } from "lucide-react";
import { classNames } from "@/ui/class-names.ts";
import {
  passwordRules,
  type PasswordStrength,
  type StrengthName,
} from "../model/password-strength.ts";
import { passwordStrengthStrings } from "../strings.ts";

const fills: Record<StrengthName, string> = {
  Weak: "bg-strength-weak",
  Fair: "bg-strength-fair",
  Good: "bg-strength-good",
  Strong: "bg-strength-strong",
};

/** The five rules, which of them are met, and what the password amounts to in a word and a colour. */
export function PasswordStrengthMeter({
  password,
  strength,
  id,
}: {
  readonly password: string;
  readonly strength: PasswordStrength;
  readonly id: string;
}) {
  const typed = password !== "";
  return (
    <div id={id} className="grid gap-2.5">
      <div className="flex items-center gap-3">
        <div aria-hidden className="grid grow grid-cols-5 gap-1">
          {passwordRules.map((rule, index) => (
            <span
              key={rule.id}
              data-edge=""
              data-filled={typed && index < strength.filled ? "" : undefined}
              className={classNames(
                "h-1.5 rounded-full transition-colors",
                typed && index < strength.filled ? fills[strength.name] : "bg-line",
              )}
            />
          ))}
        </div>
        <p
          role="status"
          data-strength={typed ? strength.colour : undefined}
          className="w-14 text-right text-sm font-medium"
        >
          {typed ? (
            <>
              <span className="sr-only">{passwordStrengthStrings.label}</span>
              {passwordStrengthStrings.names[strength.name]}
            </>
          ) : null}
        </p>
      </div>
      <ul className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-2">
        {passwordRules.map((rule) => {
          const met = rule.met(password);
          const Icon = met ? Check : Circle;
          return (
            <li
              key={rule.id}
              data-met={met}
              className={classNames(
                "flex items-start gap-2 transition-colors",
                met ? "text-ink" : "text-muted",
                rule.id === "special" && "sm:col-span-2",
              )}
            >
              <Icon
                aria-hidden
                className={classNames("mt-1 size-3.5 shrink-0", met && "text-good")}
                strokeWidth={met ? 3 : 1.5}
              />
              <span>
                {passwordStrengthStrings.rules[rule.id]}
                <span className="sr-only">{passwordStrengthStrings.metOrNot(met)}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
