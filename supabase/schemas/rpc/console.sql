-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.audit_choices() returns jsonb
  language sql stable set search_path = '' as $$ select private.audit_choices() $$;
comment on function public.audit_choices is 'Administrators: what the audit log can be filtered by.';
grant execute on function private.audit_choices, public.audit_choices to authenticated;

create function public.dashboard_figures() returns table(level integer, effective_level integer, onboarding_complete boolean, member_since timestamp with time zone, likes_received integer, lessons_completed integer, affiliate_links integer, profits_pence integer)
  language sql stable set search_path = '' as $$ select * from private.dashboard_figures() $$;
comment on function public.dashboard_figures is 'The caller''s own dashboard figures, one row; money in pence.';
grant execute on function private.dashboard_figures, public.dashboard_figures to authenticated;

create function public.preview_level_requirement(level integer, kind text, needed integer) returns table(current_needed integer, available integer, members integer, ready_before integer, ready_after integer)
  language sql volatile set search_path = '' as $$ select * from private.preview_level_requirement(level, kind, needed) $$;
comment on function public.preview_level_requirement is 'Administrators with a second factor: what a new figure of a level''s requirement would mean.';
grant execute on function private.preview_level_requirement, public.preview_level_requirement to authenticated;

create function public.set_level_requirement(level integer, kind text, needed integer) returns void
  language sql volatile set search_path = '' as $$ select private.set_level_requirement(level, kind, needed) $$;
comment on function public.set_level_requirement is 'Administrators with a second factor: change what a level asks for.';
grant execute on function private.set_level_requirement, public.set_level_requirement to authenticated;

create function public.plan_overview() returns table(id text, name text, role text, amount_pence integer, currency text, "interval" text, price_id text, is_active boolean, members integer, former_price_members integer, prices jsonb, last_event_at timestamp with time zone, last_check_at timestamp with time zone)
  language sql stable set search_path = '' as $$ select * from private.plan_overview() $$;
comment on function public.plan_overview is 'Administrators: the plans on sale and the state of the link to the card provider.';
grant execute on function private.plan_overview, public.plan_overview to authenticated;

create function public.admin_library_items(shelf text, search text default ''::text, category text default NULL::text, subcategory uuid default NULL::uuid, status text default NULL::text, page_size integer default 50, skip integer default 0) returns table(id uuid, title text, slug text, main_category text, subcategory_id uuid, subcategory_name text, subcategory_is_active boolean, author_name text, is_published boolean, is_featured boolean, readers integer, created_at timestamp with time zone)
  language sql stable set search_path = '' as $$ select * from private.admin_library_items(shelf, search, category, subcategory, status, page_size, skip) $$;
comment on function public.admin_library_items is 'Administrators: articles or courses by title, category, subcategory and status (published, withdrawn, featured).';
grant execute on function private.admin_library_items, public.admin_library_items to authenticated;

create function public.edit_content_item(shelf text, item_id uuid, is_published boolean default NULL::boolean, is_featured boolean default NULL::boolean) returns void
  language sql volatile set search_path = '' as $$ select private.edit_content_item(shelf, item_id, is_published, is_featured) $$;
comment on function public.edit_content_item is 'Administrators: publish, withdraw or feature an article or a course.';
grant execute on function private.edit_content_item, public.edit_content_item to authenticated;

create function public.admin_level_supply() returns table(level integer, kind text, category text, needed integer, available integer)
  language sql stable set search_path = '' as $$ select * from private.admin_level_supply() $$;
comment on function public.admin_level_supply is 'Administrators: what each level asks for, and how much of it there is.';
grant execute on function private.admin_level_supply, public.admin_level_supply to authenticated;

create function public.admin_subcategories() returns table(id uuid, main_category text, slug text, name text, description text, color text, icon text, display_order integer, is_active boolean, article_count integer, course_count integer)
  language sql stable set search_path = '' as $$ select * from private.admin_subcategories() $$;
comment on function public.admin_subcategories is 'Administrators: all subcategories of the library.';
grant execute on function private.admin_subcategories, public.admin_subcategories to authenticated;

create function public.create_subcategory(main_category text, slug text, name text, description text default ''::text, color text default '#64748b'::text, icon text default 'book-open'::text, display_order integer default 0) returns uuid
  language sql volatile set search_path = '' as $$ select private.create_subcategory(main_category, slug, name, description, color, icon, display_order) $$;
comment on function public.create_subcategory is 'Administrators: create a subcategory; its id.';
grant execute on function private.create_subcategory, public.create_subcategory to authenticated;

create function public.edit_subcategory(subcategory_id uuid, name text default NULL::text, description text default NULL::text, color text default NULL::text, icon text default NULL::text, display_order integer default NULL::integer, is_active boolean default NULL::boolean) returns void
  language sql volatile set search_path = '' as $$ select private.edit_subcategory(subcategory_id, name, description, color, icon, display_order, is_active) $$;
comment on function public.edit_subcategory is 'Administrators: change the given fields of a subcategory. One that is not active hides its articles and courses.';
grant execute on function private.edit_subcategory, public.edit_subcategory to authenticated;

create function public.add_member_note(member uuid, note text) returns void
  language sql volatile set search_path = '' as $$ select private.add_member_note(member, note) $$;
comment on function public.add_member_note is 'Administrators: add a note about a member. Notes cannot be changed.';
grant execute on function private.add_member_note, public.add_member_note to authenticated;

create function public.member_detail(member uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.member_detail(member) $$;
comment on function public.member_detail is 'Administrators: billing, progress, submissions, reports, identity, notes and audit entries of one member.';
grant execute on function private.member_detail, public.member_detail to authenticated;

create function public.admin_overview() returns jsonb
  language sql stable set search_path = '' as $$ select private.admin_overview() $$;
comment on function public.admin_overview is 'Administrators: figures about the community, its queues, its failures and its hosts; revenue in pence a month at today''s prices, null without a second factor.';
grant execute on function private.admin_overview, public.admin_overview to authenticated;

create function public.dispute_queue() returns table(dispute_id text, user_id uuid, email text, first_name text, last_name text, amount bigint, currency text, reason text, status text, opened_at timestamp with time zone, respond_by timestamp with time zone)
  language sql stable set search_path = '' as $$ select * from private.dispute_queue() $$;
comment on function public.dispute_queue is 'Administrators: open disputes with their due dates; amounts in the smallest unit.';
grant execute on function private.dispute_queue, public.dispute_queue to authenticated;

create function public.admin_queues() returns jsonb
  language sql stable set search_path = '' as $$ select private.admin_queues() $$;
comment on function public.admin_queues is 'Administrators: how many items wait in each queue, and since when the oldest.';
grant execute on function private.admin_queues, public.admin_queues to authenticated;

create function public.admin_rooms() returns table(id text, name text, description text, min_level_required integer, display_order integer, is_active boolean, participant_count integer)
  language sql stable set search_path = '' as $$ select * from private.admin_rooms() $$;
comment on function public.admin_rooms is 'Administrators: all rooms, those that are not active too.';
grant execute on function private.admin_rooms, public.admin_rooms to authenticated;

create function public.edit_room(room_id text, name text default NULL::text, description text default NULL::text, min_level_required integer default NULL::integer, display_order integer default NULL::integer, is_active boolean default NULL::boolean) returns void
  language sql volatile set search_path = '' as $$ select private.edit_room(room_id, name, description, min_level_required, display_order, is_active) $$;
comment on function public.edit_room is 'Administrators: change the given fields of a room. A room that is not active vanishes for members, with its messages kept.';
grant execute on function private.edit_room, public.edit_room to authenticated;

create function public.suspend_member(member uuid, reason text, days integer default NULL::integer) returns void
  language sql volatile set search_path = '' as $$ select private.suspend_member(member, reason, days) $$;
comment on function public.suspend_member is 'Administrators: suspend a member with a reason, for 1 to 365 days or until it is lifted.';
grant execute on function private.suspend_member, public.suspend_member to authenticated;

create function public.lift_suspension(member uuid, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.lift_suspension(member, reason) $$;
comment on function public.lift_suspension is 'Administrators: let a suspended member sign in again.';
grant execute on function private.lift_suspension, public.lift_suspension to authenticated;

create function public.sign_out_member(member uuid, reason text) returns integer
  language sql volatile set search_path = '' as $$ select private.sign_out_member(member, reason) $$;
comment on function public.sign_out_member is 'Administrators: sign a member out everywhere; returns how many sessions ended.';
grant execute on function private.sign_out_member, public.sign_out_member to authenticated;

create function public.set_member_admin(member uuid, is_admin boolean, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.set_member_admin(member, is_admin, reason) $$;
comment on function public.set_member_admin is 'Administrators with a fresh second factor: make another account an administrator, or no longer one.';
grant execute on function private.set_member_admin, public.set_member_admin to authenticated;
