-- The article left open last is offered again, so the time of an opening is kept beside the day it counts for.
alter table public.article_opens add column last_opened_at timestamptz;
alter table public.article_opens alter column last_opened_at set default clock_timestamp();
comment on column public.article_opens.last_opened_at is 'When it was last opened; null when that was before times were kept.';
grant select (last_opened_at) on table public.article_opens to authenticated;

create or replace function private.record_open(article uuid) returns boolean
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  is_first_of_day boolean;
begin
  insert into public.article_opens as o (user_id, article_id, last_opened_on)
  values (caller, article, (now() at time zone 'UTC')::date)
  on conflict (user_id, article_id) do update set last_opened_on = excluded.last_opened_on
    where o.last_opened_on < excluded.last_opened_on;
  is_first_of_day := found;
  update public.article_opens o set last_opened_at = clock_timestamp()
  where o.user_id = caller and o.article_id = article;
  return is_first_of_day;
end
$$;
