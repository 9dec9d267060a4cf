-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.set_my_picture(name text default NULL::text) returns text
  language sql volatile set search_path = '' as $$ select private.set_my_picture(name) $$;
comment on function public.set_my_picture is 'Sets the caller''s profile picture to an object of theirs, or removes it; returns the name of the former object.';
grant execute on function private.set_my_picture, public.set_my_picture to authenticated;

create function public.admin_remove_picture(member uuid, reason text) returns text
  language sql volatile set search_path = '' as $$ select private.admin_remove_picture(member, reason) $$;
comment on function public.admin_remove_picture is 'Administrators: take a member''s picture off their profile, with a reason that the member reads; returns the name of its object.';
grant execute on function private.admin_remove_picture, public.admin_remove_picture to authenticated;

create function public.profile_pictures_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select * from private.profile_pictures_to_purge(after, batch) $$;
comment on function public.profile_pictures_to_purge is 'Server: profile pictures to delete now.';
grant execute on function private.profile_pictures_to_purge, public.profile_pictures_to_purge to service_role;
