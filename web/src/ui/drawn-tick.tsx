/** A tick that is drawn when it appears; who wants no motion sees it at once. */
export function DrawnTick({ className }: { readonly className?: string | undefined }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
      data-drawn-tick
    >
      <circle cx={12} cy={12} r={10} />
      <path
        d="m9 12 2 2 4-4"
        pathLength={1}
        strokeDasharray={1}
        className="animate-[draw_320ms_ease-out] motion-reduce:animate-none"
      />
    </svg>
  );
}
