/**
 * The passwords that attackers try first and that are long enough to be accepted otherwise. The list is short, so that browsers
 * can check it before anything is sent. The local provider refuses many more.
 */
const common = new Set(
  `
  000000 0000000 00000000 010203 0123456789 102030 111111 1111111 11111111 111222 112233 11223344 121212 123123
  12312312 123123123 123321 1234321 123454321 123456 1234567 12345678 123456789 1234567890 12345678910 1234561
  123456a 123456q 12345a 12345q 12345qwert 123654 123654789 123abc 123qwe 123qweasd 123qweasdzxc 12qwaszx 131313
  135790 142536 147258 147258369 147852 159159 159357 159753 1a2b3c 1a2b3c4d 1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y
  1qaz2wsx 1qaz2wsx3edc 1qazxsw2 20202020 212121 222222 22222222 232323 246810 252525 258258 258456 333333 33333333
  369369 444444 44444444 456456 456789 520520 5201314 555555 55555555 654321 666666 66666666 666999 696969 741852
  741852963 753951 777777 7777777 77777777 789456 789456123 789789 852456 87654321 888888 88888888 963852741 987654
  987654321 9876543210 999999 99999999 999999999
  a123456 a1234567 a12345678 a123456789 a1b2c3 a1b2c3d4 aa123456 aaaaaa aaaaaaaa abc123 abc12345 abcabc abcd1234
  abcdef abcdefg abcdefgh access admin1 admin12 admin123 admin1234 administrator alexander amanda andrea andrew
  angela angels anthony apples arsenal asdasd asdasdasd asdf1234 asdfasdf asdfgh asdfghj asdfghjk asdfghjkl asdfjkl
  ashley austin azerty azertyuiop babygirl bailey banana barcelona baseball basketball batman beautiful
  benjamin blessed blink182 bonjour brandon buster butterfly cameron caroline changeit changeme charlie
  cheese chelsea chicken chocolate chopper christian computer cookie cooper corvette cowboy crystal dakota dallas
  daniel daniela daddy1 default diablo diamond doctor dolphin dragon dragonball eagles elizabeth eminem falcon
  ferrari fishing flower flowers football forever formula freddy freedom friend friends friendship
  gandalf garfield george giants ginger golden golfer guitar hallo123 hannah harley heather hello1 hello123 hellohello
  helloworld hockey honda1 hunter hunter2 iceman iloveu iloveyou iloveyou1 iloveyou2 internet jackson jasmine
  jasper jennifer jessica jesus1 johnny jordan jordan23 joseph joshua junior justin killer knight ladies lakers
  lauren letmein letmein1 liverpool london loveme lovelove lovely loveyou madison maggie manchester marina martin
  master matrix matthew maverick melissa mercedes merlin michael michelle mickey midnight monkey monkey1 monster
  morgan mother mustang mylove naruto natasha newyork nicholas nicole nintendo nothing oliver orange package
  pakistan parker pass123 pass1234 passport passw0rd password password! password1 password1! password12 password123
  password1234 password2 patrick peanut pepper philip phoenix playboy please pokemon popcorn porsche princess
  princess1 purple q1w2e3 q1w2e3r4 q1w2e3r4t5 qazwsx qazwsxedc qazxsw qqqqqq qwaszx qweasd qweasdzxc qwe123 qweqwe
  qweqweqwe qwer1234 qwert1 qwerty qwerty1 qwerty12 qwerty123 qwerty1234 qwerty12345 qwertyu qwertyui qwertyuiop
  rabbit rachel raiders rainbow ranger realmadrid rebecca richard robert samantha samson samsung sandra scooby
  scooter secret secret1 secret123 shadow shannon silver slipknot snoopy soccer sophie spider spiderman squirrel
  starwars steelers stella stephanie steven summer summer1 sunflower sunshine sunshine1 superman superstar
  sweetheart taylor teacher tennis test123 test1234 testing testing1 testtest thomas thunder tigger tigers tinker
  toyota trinity trustno1 tucker turtle twitter unknown victor victoria vincent volleyball warcraft warrior
  welcome welcome1 welcome123 whatever william williams winner winston winter xxxxxx xxxxxxxx yamaha yankees yellow
  zaq12wsx zaq1zaq1 zxcvbn zxcvbnm zxcvbnm123 zzzzzz milepost milepost1 milepost123
  `
    .trim()
    .split(/\s+/),
)

/** Whether attackers would try this password among the first few hundred. */
export function isCommonPassword(password: string): boolean {
  return common.has(password.normalize('NFKC').toLowerCase())
}
