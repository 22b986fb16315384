extension ComparedWords {
    /// 1,024 short English words, in the order of `Protocol/compared-words.txt`. They were chosen from the
    /// word list of BIP 39 (MIT licence), without those that nobody wants to read to a stranger.
    static let list: [String] = """
        able about above absorb absurd access achieve acoustic actor adjust admit advice aerobic again agree aisle
        album alley allow almost alpha alter always amateur amazing among amused anchor ancient angle animal another
        answer antenna apart appear apple approve april arch arctic area arena around arrange arrive artefact artist
        artwork assist assume athlete atom attend attitude audit aunt author auto average avoid aware away baby badge
        balance balcony bamboo banner bargain battle beach bean because become before behind below belt best beyond
        bike biology bird blade blanket blast blossom blouse blue blush board boat bonus book border bottom bracket
        brand brave bridge brief bright bring brisk broccoli broom brush budget buffalo build bulb bundle burger
        business buyer buzz cabbage cabin cable cake call calm camera canal candy canoe canvas capable card cargo
        carpet carry cart castle catalog catch cattle caught cave ceiling cement census century cereal chair change
        chapter charge chase chat check cheese cherry chest chimney choose churn cinnamon circle city clap claw clay
        clean cliff clog close cloud clump cluster coast coconut code coffee coil coin collect color column combine
        come comfort comic common concert conduct congress connect consider copy core correct cost cotton couch
        country couple course cover coyote cradle craft cram crane crop crowd crumble crunch crystal cube cupboard
        curious current curtain curve dance dash dawn december decide decorate decrease deer degree denial depart
        desert design desk detail develop device diagram dial diamond diary diet distance document dolphin donor door
        double dove draw dream dress drift drive drum duck dune during duty dynamic eager earth east easy echo ecology
        economy edge edit effort either elbow electric elegant element elevator else embark embrace emerge employ
        empower enact endless endorse energy enhance enjoy enlist enough enrich enroll ensure entire entry episode
        equip erase essay essence eternal example excite excuse exhibit exist expect express fabric faculty fantasy
        fashion favorite feature february federal feel female fence festival fiber figure file final finger finish
        firm first fish fitness flag flash flat flavor flight flip float flock floor fluid foam fold follow forest
        fork fortune forum forward foster frequent fringe frog front fruit funny furnace gadget game garage garden
        garlic garment general genre gesture giant gift ginger giraffe give glass glimpse glove glue goat gold good
        gospel gown grain grape great grid grocery group grow guard guide habit hammer hamster happy have hawk
        hedgehog height hello helmet high hint history hobby hockey holiday hollow home honey horn hotel hour huge
        human humble hundred hybrid idea identify idle ignore image impact improve inch income index indicate indoor
        industry inherit initial innocent inquiry inside inspire install interest into invite involve iron island
        jacket jeans jelly join joke juice jump jungle junior just kangaroo keen keep ketchup kind kingdom kiss
        kitchen kite kitten kiwi knock label ladder lake language laptop later latin laugh laundry lava lawn lazy leaf
        learn lecture left legend leisure lend length lens leopard lesson level library lift light limit link liquid
        list little live lizard load loan lobster local lock logic loop lounge lumber lunar lyrics magic mail main
        major manage mango maple marble margin marine match material math matter maximum maze meadow mean measure
        medal melody mention menu merge merit message metal method middle midnight milk mind minimum minute mirror
        mixed mixture model modify moment monitor month moon more motion motor mountain mouse move movie much multiply
        museum mushroom music must mutual mystery myth name napkin narrow nature neglect neither nest network neutral
        never news night noodle normal notable nothing notice number object observe obvious ocean october office often
        okay once onion open option orange orbit orchard order ordinary original ostrich outdoor outer outside oval
        oven over owner oxygen pact paddle page pair panda panel panther paper park parrot party patch path pattern
        pause pave payment peanut pear pelican pencil pepper permit person phone photo physical piano picture piece
        pigeon pilot pipe planet plastic plate play please pledge plug plunge poem point pond pony pool popular
        portion position post pottery practice praise prefer prepare present prevent price pride primary priority
        process produce program project promote provide pudding pulse puppy purchase purity purpose purse pyramid
        quality quantum quarter question quick quit quiz quote raccoon radio rain ranch random range rapid rare raven
        ready real reason recall receive record reduce reflect regular relax release remember render renew reopen
        repair repeat replace report rescue resist resource response retreat return reunion reveal reward rhythm
        ribbon rice right ring ripple river road roast robust rocket romance room rose rotate round route royal rubber
        runway saddle safe salad salmon salt salute same sample save scan scene science scissors scorpion scout scrap
        screen script search season seat second secret section security seed segment select seminar senior sense
        sentence series service session settle setup seven shadow shaft shallow sheriff shield shine shop shoulder
        shrimp shrug shuffle sight sign silent silver similar simple since sing situate skate skill skirt sleep slide
        slight slot slush small smart snap snow soap soccer social sock soda solar solid solution someone song soon
        sort soul soup source south space spatial spawn speak special spell sphere spice spider spin sponsor spoon
        spread spring square squeeze squirrel stairs state stay steak steel stem step stick still sting stock stool
        stove strategy street strike student stuff stumble subject success such sugar suit sunny sunset super surface
        surprise sustain swallow swarm sweet swift swing switch symbol symptom syrup table talent tank tape task taste
        taxi tell tent term test text that theme then they thing this thought three thrive thunder ticket tide tilt
        timber time tiny title toast together token tomato tone tonight tool torch tornado tortoise toss total tourist
        tower town track train transfer travel tray trend trim trip trophy true truly trumpet tube tuition tuna tunnel
        turkey turn turtle twenty twin typical umbrella unaware uncover unfold unit universe unlock until unveil
        update upgrade uphold upon upper usage useful utility vacuum valley various vendor verify very vessel viable
        video view village vintage visual vivid vocal volume voyage wagon wait walk wall warm wasp water wave weasel
        wedding weekend welcome what when where wide wild window wink winner winter wire wisdom wish wonder wood word
        work world write yard year yellow zebra
        """.split { $0 == " " || $0 == "\n" }.map(String.init)
}
