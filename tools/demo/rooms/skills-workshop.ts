/** Practice in public, open from level 2; the format is that of `read-room.ts`. */
export const skillsWorkshopRoom = `
14 21:10 Callum: Right, first customer email I've ever rewritten. "Dear Mrs Boyle, thank you for having me round. The board is old but safe for now. Replacing it costs £640 and takes a day. Shall I come next week?" Be honest.
14 21:20 Ingrid>Callum: I'd add what happens if she waits. Otherwise it's perfect.
13 19:40 Gareth>Callum: I've read it three times looking for something to cut. "For now" is doing good work, leave it in.
13 20:00 Leila>Callum: This is the clearest quote I've seen from any trade. Keep it as your pattern.
12 19:20 Mei: I present to a board in three days. My opening is: "Thank you for the opportunity to walk you through our findings." Help.
12 19:35 Gareth>Mei: What's the finding?
12 19:45 Mei>Gareth: That they lose one in three people on a single screen.
12 19:50 Gareth>Mei: "One in three people leave on this screen. I've spent a month finding out why." Then stop, and let them look at it.
10 19:10 Nadia: Practising how to say the group price to parents. "It's £22 each, and they'll have each other" is where I am.
10 19:25 Tom>Nadia: "They'll have each other" is lovely. Don't put anything after it.
10 19:30 Mei>Nadia: Agreed. The number first, the reason once, then silence.
9 21:20 Mei: The board went quiet, then the oldest one said: "Well, fix it." It's the best feedback I've had in ten years.
9 21:30 Gareth>Mei: And you didn't thank them for the opportunity?
9 21:35 Mei>Gareth: I did at the end, in the lift.
8 19:40 Ingrid: My year's offer for Bergen, first line: "You'd have one person who knows your words." Too soft?
8 19:55 Leila>Ingrid: Not soft. It says what an agency can't. Follow it with a number, so nobody calls it poetry.
7 21:00 Gareth: An exercise for all. Say what you do in one breath, record it, and listen once. Don't fix it. Say it again.
6 20:50 Hannah: "I bake bread at night for people who collect it in the morning." I listened to it once and noticed I'd left out that it's good.
6 21:00 Gareth>Hannah: They'll find that out. You said when, what and how, and most people manage none of the three.
6 21:10 Beatrice: "I find the people your family stopped talking about." My cat left the room.
6 21:15 Gareth>Beatrice: I'd hire you on the spot.
5 21:00 Seun: "I stop barbers losing forty quid to a ringing phone." I recorded it nine times. My wife can say it too.
5 21:10 Leila>Seun: When your wife can say it, it's finished.
3 21:20 Rafael: The letter about cancellations, in case it's useful to anyone: "So that I can keep your hour for you, lessons moved on the day are paid as usual. Tell me the evening before and we'll find another time." That's all of it.
3 21:30 Gareth>Rafael: Two sentences, no apology. I may show it to my own clients, if you'd let me.
3 21:35 Rafael>Gareth: With the accent, please.
1 20:50 Mei: Needing an outside eye: a case study of one screen and one number. Who has ten minutes for it this week?
1 21:00 Seun>Mei: Me. You looked at mine, and it's only fair.
0 -160 Hannah: My first talk, five minutes, at the market traders' evening. I open with "I used to be paid in coins at two in the morning." Yes?
0 -110 Gareth>Hannah: Yes. Then say what you're paid in now, and when you sleep.
`;
