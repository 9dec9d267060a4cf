/** Calendars, habits and tools; the format is that of `read-room.ts`. */
export const productivityRoom = `
21 10:00 Helen: My one rule: twenty minutes on the books at four on a Friday, with the door shut. Not because I like books. Because I like January.
21 19:55 Tom>Helen: What do you do when four on a Friday is a delivery?
21 20:05 Helen>Tom: Then it's Saturday at nine, before the shop opens. It's allowed to move once. Twice and it's gone.
20 09:05 Ingrid: I translate best before anyone writes to me, so email opens at eleven. The world has not ended, and two agencies have adapted.
20 09:20 Nadia>Ingrid: I teach at 8:40 and I envy this with my whole body.
20 21:10 Nadia: Marking in the car before I go in. Twenty minutes, engine off, phone in the boot. Best twenty minutes of the day.
19 07:45 Tom: A clock on the bench. I start it when I touch the wood and stop it when I stop. Nothing else I've tried was as rude or as useful.
19 12:00 Mei>Tom: I do this with a kitchen timer. It has a duck on it. Clients can hear it in calls.
19 18:20 Callum: How do you all keep the quotes separate from the jobs? Mine are in one bag and the bag is the front seat.
19 18:35 Helen>Callum: Two envelopes to begin with. "Said yes" and "Not yet". It'll take you further than you'd think.
18 07:30 Gareth: I write in the library because nobody there wants anything from me. Recommended to all who are kind.
18 20:15 Leila: I count, once a month, where each enquiry came from. A bit of paper by the phone. It takes a minute and it has closed two adverts.
17 09:15 Callum>Helen: The envelopes work. "Not yet" is thicker, which I take as an omen.
17 21:30 Seun: I have ninety minutes, four evenings a week, after the little one's asleep. What would you do with the first ten of them?
17 21:40 Gareth>Seun: Write down what the other eighty are for. Otherwise they're for everything.
17 21:50 Ingrid>Seun: And stop in the middle of something easy, so tomorrow has a handle.
16 08:30 Mei: I've begun writing "done means" at the top of every task. It's humiliating how often I didn't know.
16 17:40 Hannah: My oven is the calendar. Four trays, fifty minutes, so the question is never how hard I work, it's what sits in it.
16 17:55 Tom>Hannah: That's the best description of a bottleneck I've read, and I've read a few on trains.
15 07:20 Nadia: Tried Ingrid's handle. Left a half-marked paper on top of the pile. Sat down and simply went on. Witchcraft.
15 12:30 Leila>Mei: "Done means" is now at the top of my proposals as well. One client read it and cut the job in half, happily.
14 12:40 Beatrice: I put my notebook away at the same time each day and write one line about where I stopped. Thirty-five years of libraries and I only started last week.
14 16:50 Callum: Question: does anyone answer the phone on a ladder? I do, and I'd like to be told to stop.
14 17:00 Helen>Callum: Stop.
14 17:05 Tom>Callum: Stop. Twice a day, from the van, list in hand. People ring back if you say when.
13 09:05 Callum: New message on my phone: "I'm up a ladder. I call back at twelve and at five." Three people have told me they liked it.
13 17:20 Rafael: I leave ten minutes between pupils now. I lost two lessons a week and found my voice.
12 13:10 Hannah: Dough timetable on the fridge with the waking times in red. My husband has added his own in green. It's mostly "no".
12 20:30 Mei: Two no-meeting mornings a week. The first one felt like bunking off. I designed an entire flow before ten.
11 07:05 Arjun: Tools back in the van in the same order every evening. It's five minutes, and I've stopped buying secateurs.
11 12:20 Gareth>Arjun: There's a whole course in that sentence.
10 09:30 Seun: Ten minutes of "what the other eighty are for" and I shipped the booking page in a week. It had been two months.
10 21:20 Priya: How do you all write notes after clients? I'm doing mine at eleven at night and they're getting shorter and shorter.
10 21:35 Nadia>Priya: Before the next person, even if it's three words. Three true words beat thirty tired ones.
9 07:10 Priya>Nadia: Tried it today: five minutes between appointments, three words each. I was home at six.
9 20:20 Ingrid: Cleared the desk of everything that isn't this week's text. It is now a desk.
8 15:10 Kofi: I edit pictures in the order I took them, which means I spend the best hour on people walking in. Any better order?
8 15:25 Mei>Kofi: Best ten first, then stop and see if the job is finished. It often is.
8 16:00 Kofi>Mei: It was finished at nine. I'd have gone to two hundred.
7 08:00 Rafael: I tune all three guitars the evening before. The pupils think I've become a different man.
6 07:30 Hannah: Beatrice told me to write where I stopped. Last night's line was "flour, not enough". Saved a morning.
6 12:10 Beatrice>Hannah: A good line. Mine was "the wrong Thomas".
5 18:15 Mei: Weekly review in the same café, same chair. They've started bringing the coffee before I ask. It has become impossible to skip.
4 08:20 Leila: Monthly count is done. Eleven enquiries: five from one customer who talks a lot, four from the page, two from nowhere known. I'm sending her flowers.
4 20:10 Zoe: Four days employed, one day mine. How do I stop the four days from leaking into the one?
4 20:20 Ingrid>Zoe: Different desk, or at least a different chair. And tell them the day before, not on the day.
4 20:30 Nadia>Zoe: I put mine on the staff calendar as "not in". Nobody has ever asked where I was.
3 07:45 Zoe: Moved to the other end of the table and put my work phone in the bread bin. Three hours of my own before anyone found it.
3 12:50 Hannah>Zoe: A bread bin. I approve of everything about this.
2 09:10 Arjun: The monthly gardens are the first Tuesday and the third. For the first time I know where I'll be in a fortnight.
2 18:40 Tom: My week on one card: three bench days, one for deliveries, a half for the books and a half for whatever broke.
1 07:40 Mei>Tom: "Whatever broke" is the most honest appointment I've seen in anyone's diary.
1 18:00 Piotr: I keep every receipt in one tin. It's a system, but I suspect it isn't yours.
1 18:10 Helen>Piotr: A tin is an excellent beginning. Empty it onto the table once a week and you have books.
0 -210 Gareth: A reader wrote that she plans her week on a Sunday and has forgotten it by Monday lunch. I told her to plan Monday on Sunday, and the rest on Monday.
0 -55 Tom: The sheet behind my prices has three lines: hours I can truly sell in a year, what they have to bring, and four weeks off taken out before anything else.
`;
