-- Only a membership that began uses up a trial code for good. It is asked before anything of the account is deleted: its
-- subscription goes with it.
drop trigger trial_redemptions__count_departed on private.trial_redemptions;
drop function private.tg_trial_redemptions__count_departed();

create function private.tg_users__count_departed_trial() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update private.trial_codes t set departed_redemptions = t.departed_redemptions + 1
  from private.trial_redemptions r
  where r.user_id = old.id and t.code = r.code and private.has_begun_membership(old.id);
  return old;
end
$$;
revoke all on function private.tg_users__count_departed_trial from public, anon, authenticated, service_role;
create trigger users__count_departed_trial before delete on auth.users
  for each row execute function private.tg_users__count_departed_trial();
comment on column private.trial_codes.departed_redemptions is
  'Redemptions of deleted accounts whose membership had begun; they count for the limit.';
