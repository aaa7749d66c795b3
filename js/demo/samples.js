// Texts to begin with.

export const SAMPLES = [
  ['A game of infinite chess', `[Event "Casual infinite chess game"]
[Variant "Classical"]
[White "Tom"]
[Black "Ben"]
[Result "0-1"]

w 0/100 1 (8;Q,R,B,N|1;q,r,b,n) checkmate P1,2+|P2,2+|P3,2+|P4,2+|P5,2+|P6,2+|P7,2+|P8,2+|p1,7+|p2,7+|p3,7+|p4,7+|p5,7+|p6,7+|p7,7+|p8,7+|R1,1+|R8,1+|r1,8+|r8,8+|N2,1|N7,1|n2,8|n7,8|B3,1|B6,1|b3,8|b6,8|Q4,1|q4,8|K5,1+|k5,8+

1. P4,2 > 4,4 | p4,7 > 4,6
2. P4,4 > 4,5 | p3,7 > 3,5
3. P4,5 x 3,6 {White captures en passant} | b6,8 > 3,11
4. P3,6 x 2,7 | b3,11 > -4,4 ?
5. P2,7 x 1,8 =Q | b-4,4 > 2,-2 +
6. K5,1 > 4,2 | n7,8 > 6,6
7. Q1,8 x 2,8 | k5,8 > 7,8 {Castling}
8. Q2,8 x 1,7 | q4,8 > 0,4
9. Q1,7 > 7,13 + | k7,8 > 8,8
10. Q7,13 x 7,7 + {Queen sacrifice} | k8,8 x 7,7 !!
11. P8,2 > 8,4 ?! | q0,4 > 4,4 #`],
  ['Kings very far apart', 'K0,0|Q3,-2|R-4,1|k1000000000000000,3|r1000000000000004,3'],
  ['A text with slips', '[Event: An old tag]\nw 0/100 1 (8|1) K05,1+|R8,1|P8,2+|k5,8\n1. R8,1 > 8,9 + {through its own pawn} | k5,8 > 5,7'],
  ['Western chess, PGN', '[White "Morphy"]\n[Black "Duke and Count"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0'],
  ['Shogi, SFEN', 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1'],
  ['Xiangqi, FEN', 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1'],
  ['A cube, CPN', 'B--2,2,2--W:^K,,,,,,,w:^k--'],
];
