/** Income from several sources, open from level 4; the format is that of `read-room.ts`. */
export const cashFlowRoom = `
2 21:45 Tom: First one in. My question for whoever follows: money comes in lumps when the tables go out, and the rent comes every month regardless. How do you smooth it?
1 09:20 Marcus>Tom: Well earned, Tom. Until there's company in here: "When Income Comes in Lumps" is the essay I'd begin with, on the first shelf of Wealth.
1 19:20 Tom>Marcus: Read it at lunch. I've opened an account that pays me the same amount on the first of every month, and I'm already a little afraid of my own employer.
0 -115 Ingrid: Company! Translation comes in lumps too, as of this week rather large ones. What did you set as the monthly amount?
0 -90 Tom>Ingrid: The bare month plus a tenth, as in the essay. If the account is still full in half a year, I'm allowed to ask myself for a rise.
`;
