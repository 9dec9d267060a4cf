import type { Appearance, StripeCardElementOptions } from "@stripe/stripe-js";

/*
 * The provider draws its fields in frames of its own, which know none of our tokens; these are `--ink`, `--muted`,
 * `--danger`, `--raised` and the Community accent of the two themes in plain sRGB.
 */
const palettes = {
  light: {
    ink: "#181c26",
    muted: "#5a5f6b",
    danger: "#be2a32",
    raised: "#ffffff",
    main: "#0073a0",
  },
  dark: { ink: "#efeeea", muted: "#a1a7b3", danger: "#f58b84", raised: "#171a21", main: "#62b5dd" },
} as const;

function isDark(): boolean {
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  const forced = document.documentElement.dataset["theme"];
  return (
    forced === "dark" ||
    (forced !== "light" &&
      scheme !== "light" &&
      typeof matchMedia === "function" &&
      matchMedia("(prefers-color-scheme: dark)").matches)
  );
}

const palette = () => (isDark() ? palettes.dark : palettes.light);

/** Options of the card field. Its Link button is off: who wants Link turns the Payment Element on. */
export function cardLook(): StripeCardElementOptions {
  const colours = palette();
  return {
    hidePostalCode: true,
    disableLink: true,
    style: {
      base: {
        color: colours.ink,
        iconColor: colours.muted,
        fontFamily: "Inter, system-ui, sans-serif",
        fontSize: "16px",
        lineHeight: "24px",
        "::placeholder": { color: colours.muted },
      },
      invalid: { color: colours.danger, iconColor: colours.danger },
    },
  };
}

/** How the Payment Element looks. */
export function paymentLook(): Appearance {
  const colours = palette();
  return {
    theme: isDark() ? "night" : "stripe",
    variables: {
      colorPrimary: colours.main,
      colorBackground: colours.raised,
      colorText: colours.ink,
      colorTextSecondary: colours.muted,
      colorDanger: colours.danger,
      fontFamily: "Inter, system-ui, sans-serif",
      borderRadius: "8px",
    },
  };
}
