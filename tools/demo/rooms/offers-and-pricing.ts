/** What members sell and what it costs, open from level 3; the format is that of `read-room.ts`. */
export const offersAndPricingRoom = `
8 20:20 Marcus: Let me open this room with a question: which of your prices have you never said aloud?
8 20:40 Tom>Marcus: The bespoke table. I say "it depends" and look at the ceiling.
8 20:50 Ingrid>Marcus: The rush job. I do it, I resent it, and I charge the same.
7 21:20 Nadia: Just arrived. Mine is the group of four. I've a price for three, and for four I go red.
7 21:30 Ingrid>Nadia: Then write four on the page before the fourth family asks. A price is much easier to read than to say.
6 19:40 Leila: On rush jobs: I have a line on my offer which says "within two working days: half as much again". Two people a year choose it, and everyone else plans better.
6 19:55 Ingrid>Leila: Copied word for word, with thanks.
6 21:30 Callum: I've a call-out price, and then I don't charge it when it's raining, because I feel sorry for them.
6 21:40 Tom>Callum: You're the one in the rain!
5 20:40 Mei: The fixed-price audit is £900. Two people have asked what's in it, and nobody has asked for less. Is that too cheap?
5 20:50 Leila>Mei: Two isn't many. Ask the next three at £1,100, and see whether anything changes except your heartbeat.
4 20:20 Mei>Leila: The third one said yes to £1,100 before I'd shared the page. My heartbeat did change.
4 21:30 Tom: Three tables on one page now: this one, this one with drawers, this one with drawers and delivery and oiling after a year. Two of three people choose the middle.
4 21:40 Leila>Tom: And what did they choose when there was only one?
4 21:45 Tom>Leila: They chose to think about it.
3 19:30 Nadia: Four is on the page: £20 each. The fourth family read it, and signed up while I was out shopping.
3 19:45 Ingrid>Nadia: And did you go red?
3 19:50 Nadia>Ingrid: In the cheese aisle, when my phone buzzed. So only the cheese knows.
2 20:50 Ingrid: Three options went to Bergen this evening: by the text, by the month, and by the year with two rush jobs included. I've charged for the rush.
2 21:00 Tom>Ingrid: For the first time?
2 21:05 Ingrid>Tom: For the first time in nineteen years.
1 20:25 Callum: Charged the call-out in the rain today. She made me tea and said that's what the last one took as well.
1 20:35 Leila>Callum: You see. You'd been giving a discount nobody had asked for.
0 -175 Ingrid: Bergen has chosen the year, the one with the rush jobs. I've read the email to the plants.
0 -165 Leila>Ingrid: Congratulations, Ingrid. And now put half of the first payment where you can't see it.
0 -125 Tom>Ingrid: The plants must be so proud.
`;
