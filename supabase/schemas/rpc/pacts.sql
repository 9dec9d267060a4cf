-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.remind_of_pacts() returns void
  language sql volatile set search_path = '' as $$ select private.remind_of_pacts() $$;
comment on function public.remind_of_pacts is 'Server: reminds members of pacts that are due.';
grant execute on function private.remind_of_pacts, public.remind_of_pacts to service_role;

create function public.ask_witnesses(pact_id uuid, witnesses uuid[]) returns void
  language sql volatile set search_path = '' as $$ select private.ask_witnesses(pact_id, witnesses) $$;
comment on function public.ask_witnesses is 'Asks up to three members to witness the caller''s open pact. They accept themselves.';
grant execute on function private.ask_witnesses, public.ask_witnesses to authenticated;

create function public.make_pact(pact_id uuid, title text, content text, due_on date, witnesses uuid[] default '{}'::uuid[]) returns void
  language sql volatile set search_path = '' as $$ select private.make_pact(pact_id, title, content, due_on, witnesses) $$;
comment on function public.make_pact is 'Makes a pact: a submission that says what the caller will do, by when, and how one will know.';
grant execute on function private.make_pact, public.make_pact to authenticated;

create function public.answer_witness(pact_id uuid, accepts boolean) returns void
  language sql volatile set search_path = '' as $$ select private.answer_witness(pact_id, accepts) $$;
comment on function public.answer_witness is 'Accepts or declines to witness a pact.';
grant execute on function private.answer_witness, public.answer_witness to authenticated;

create function public.my_pacts() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_pacts() $$;
comment on function public.my_pacts is 'The caller''s own pacts, and the pacts the caller is asked to witness.';
grant execute on function private.my_pacts, public.my_pacts to authenticated;

create function public.pacts_of_submissions(submission_ids uuid[]) returns jsonb
  language sql stable set search_path = '' as $$ select private.pacts_of_submissions(submission_ids) $$;
comment on function public.pacts_of_submissions is 'Due day, accepted witnesses and outcome of the pacts among up to 100 submissions.';
grant execute on function private.pacts_of_submissions, public.pacts_of_submissions to authenticated;
