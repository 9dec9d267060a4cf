create unique index message_reports_open_key on private.message_reports (message_id, user_id) where resolved_at is null;
create index message_reports_message_id_idx on private.message_reports (message_id);

create function private.extend_report(reports regclass, report bigint, caller uuid, why text) returns void
  language plpgsql set search_path = ''
as $$
declare
  said text;
begin
  execute format('select r.reason from %s r where r.id = $1 for update', reports) into said using report;
  if position(why in said) > 0 then
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'report');
  if char_length(said) + char_length(why) + 2 > 2000 then
    perform private.fail('FF317', 'You have said much about this already. An administrator will look at it.');
  end if;
  execute format('update %s r set reason = $2 where r.id = $1', reports) using report, said || E'\n\n' || why;
end
$$;
comment on function private.extend_report(regclass, bigint, uuid, text) is
  'Adds to the caller''s open report what it does not say yet; raises FF317 when it would be longer than 2000 characters.';
