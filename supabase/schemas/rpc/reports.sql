-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.report_queue(kind text default NULL::text) returns setof jsonb
  language sql stable set search_path = '' as $$ select * from private.report_queue(kind) $$;
comment on function public.report_queue is 'Administrators: what is reported and waits for a decision, of one kind or of all, oldest first.';
grant execute on function private.report_queue, public.report_queue to authenticated;

create function public.resolve_report(report_id bigint, decision text, explanation text default NULL::text) returns void
  language sql volatile set search_path = '' as $$ select private.resolve_report(report_id, decision, explanation) $$;
comment on function public.resolve_report is 'Administrators: keep what was reported, or remove (a profile: clear) it, with an explanation for its author.';
grant execute on function private.resolve_report, public.resolve_report to authenticated;

create function public.report(kind text, subject_id uuid, reason text default NULL::text, category text default NULL::text) returns void
  language sql volatile set search_path = '' as $$ select private.report(kind, subject_id, reason, category) $$;
comment on function public.report is 'Reports something of another member to the administrators, for a reason of a list, in own words, or both. Repeating it while it is open adds what it did not say yet.';
grant execute on function private.report, public.report to authenticated;
