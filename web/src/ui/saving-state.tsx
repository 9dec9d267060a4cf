/** Shows beside a choice that saves at once whether it is being saved or has been saved. */
export function SavingState({
  isPending,
  isSuccess,
}: {
  readonly isPending: boolean;
  readonly isSuccess: boolean;
}) {
  return (
    <p className="text-sm text-muted" role="status">
      {isPending ? "Saving…" : isSuccess ? "Saved." : ""}
    </p>
  );
}
