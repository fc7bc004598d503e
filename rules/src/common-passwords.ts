/**
 * The words and sequences at the top of published lists of leaked passwords, in lower case. `password-strength.ts` covers
 * their variants with digits, signs and swapped letters.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `password passwort passwd pass passphrase passcode secret letmein welcome willkommen bienvenue login logon signin master
  changeme change temp temporary default guest user username test testing tester demo sample example root toor system
  qwerty qwertz azerty asdf asdfgh zxcvbn qazwsx qweasd qweasdzxc qazwsxedc poiuyt lkjhgf mnbvcxz abc abcd abcdef
  iloveyou iloveu ilovegod iloveme loveyou lovely lover love loveme sunshine princess prince angel angels baby babygirl
  dragon monkey football baseball basketball soccer hockey tennis golf superman batman spiderman ironman starwars
  pokemon naruto minecraft fortnite roblox matrix trustno trust shadow hunter ranger killer cookie cookies chocolate
  cheese banana orange apple cherry pepper ginger sugar honey butter flower flowers summer winter spring autumn
  monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
  october november december michael michelle jennifer jessica jordan ashley amanda andrew anthony daniel david robert
  thomas charlie george william joshua matthew nicole samantha hannah thomasthomas maggie buster bailey tigger harley
  jackson justin taylor alexander alex alexis andrea anna barbara brandon carlos chelsea chris christian christine
  computer internet server database network windows linux ubuntu google facebook twitter youtube instagram amazon
  microsoft samsung nokia iphone android mobile office business company corporate manager support service helpdesk
  freedom liberty america england london paris berlin france germany deutschland italia canada mexico brazil india
  liverpool arsenal chelseafc barcelona realmadrid juventus manchester united yankees cowboys eagles steelers lakers
  mustang ferrari porsche mercedes corvette camaro harleydavidson yamaha honda toyota silver golden diamond crystal
  purple yellow green blue black white red pink rainbow star stars galaxy moon ocean river mountain forest tiger lion
  lions tigers bears eagle falcon phoenix wolf wolves panther dolphin butterfly kitten kitty puppy doggy horse spider
  snoopy mickey donald disney garfield scooby simpson cartman gandalf frodo merlin arthur excalibur legend warrior
  knight wizard magic ninja samurai pirate assassin sniper gunner hacker hackers access admin administrator adminadmin
  passadmin rootroot testtest useruser passpass hello hellohello helloworld goodbye whatever nothing something anything
  nopassword mypassword yourpassword thepassword newpassword oldpassword password password1234 passwordpassword
  letmeinnow openup opensesame sesame welcomehome welcometo correcthorsebatterystaple ncc1701 thx1138 bond007 abc123
  a1b2c3 a1b2c3d4 q1w2e3 q1w2e3r4 q1w2e3r4t5 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc zaq12wsx zaq1xsw2
  1a2b3c 1a2b3c4d aa123456 a123456 a12345678 123qwe 123abc qwe123 asd123 zxc123 123456a 12345a pass1234 admin123
  147258 147258369 159753 159357 123654 789456 741852963 987654 112233 11223344 121212 123321 1234321 102030
  314159 271828 696969 131313 232323 777777 20202020 19841984 00000000 keyword keywords clustering cluster seo search
  ranking marketing analytics content website traffic password1 family friends friend forever mother father brother
  sister daddy mommy mummy mama papa grandma jesus jesuschrist christ god heaven blessed faith hope grace angelo
  peanut pumpkin cupcake muffin snickers twinkie oreo coffee cappuccino espresso vodka whiskey tequila guitar piano
  music rockstar metallica nirvana eminem beatles elvis madonna shakira rihanna beyonce slipknot blink182 greenday
  asshole fuckyou fuckoff bitch biteme bullshit dickhead pussy sexy sexsex hardcore playboy hotmail gmail yahoo email
  mail mailbox monster redbull cocacola pepsi heineken budweiser marlboro nirvana1 scorpio gemini taurus pisces libra
  aquarius virgo sagittarius capricorn lucky lucky7 number1 nummereins champion winner victory success power energy
  money million dollar bitcoin crypto ethereum satoshi hodl trading banking account secure security safety private
  qwertyui asdfghjk zxcvbnm1 asdfasdf qwerqwer zxczxc abcabc aaaaaa bbbbbb zzzzzz xxxxxx loveislife lifeisgood
  justdoit imagine dreamer dream believe forever21 always never maybe yes nope okay please thanks thankyou`
    .split(/\s+/)
    .filter(Boolean),
);
