/** An e-mail address that breaks before its `@` where it has to. */
export function EmailAddress({ children: email }: { readonly children: string }) {
  const at = email.lastIndexOf("@");
  return (
    <span className="wrap-anywhere">
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </span>
  );
}
