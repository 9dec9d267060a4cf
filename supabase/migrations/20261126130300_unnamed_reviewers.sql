-- Mentors read what reviewers wrote, and not who they are.
revoke select (author_id) on table public.draft_comments from authenticated;
comment on column public.draft_comments.author_id is
  'The administrator, whom the audit log names and members are not told; null when the server wrote it.';
