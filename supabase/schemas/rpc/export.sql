-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.note_my_export(failed_step text default NULL::text) returns void
  language sql volatile set search_path = '' as $$ select private.note_my_export(failed_step) $$;
comment on function public.note_my_export is 'How the caller''s data export ended: failed_step rows or files, or none when it is whole; raises FF302 for another and FF300 above the limit.';
grant execute on function private.note_my_export, public.note_my_export to authenticated;
