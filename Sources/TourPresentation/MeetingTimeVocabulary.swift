/// The words of times in the languages of the page, and of their neighbours on a tour: Italian, Portuguese, Dutch.
enum MeetingTimeVocabulary {
    enum Part: Hashable {
        case number(String)
        case word(String)
        case sign(Character)
    }

    enum Unit { case hour, minute }

    /// A half of the day: `pm`, `du soir`, `午後`.
    struct Half {
        let words: [Part]
        /// The hours that are told in this half, by a clock of twelve, and what they add; 12 is `noon`.
        let hours: ClosedRange<Int>
        let added: Int
        let noon: Int?
        let isInFront: Bool

        /// The hour by a clock of 24 hours; nil if nobody tells this hour so.
        func hour(_ hour: Int) -> Int? {
            hour == 12 ? noon : hours.contains(hour) ? hour + added : nil
        }
    }

    static let colons: Set<Character> = [":", ".", "：", "٫"]

    /// Words before a time that no name ends with, the longest first: behind them an hour alone is a time.
    static let leads = phrases(
        """
        at, about, around, at about, at around, um, gegen, so gegen, à, dès, vers, a las, a la, a eso de las, \
        sobre las, saat, الساعة, على الساعة, في الساعة, ore, alle ore, às, pelas, om
        """)

    /// Words before a delay.
    static let ahead = phrases("+, in, dans, en, dentro de, dentro, بعد, خلال, tra, fra, over, daqui a, em")

    /// Words and signs that may stand behind a time.
    static let endings = phrases("'da, 'de, 'ta, 'te, ’da, ’de, ’ta, ’te, に, sharp, punto, en punto, pile")

    static let halves: [Half] =
        phrases("am, in the morning, ص, صباحا, صباحًا, صباحاً, de la mañana, du matin, da manhã").map {
            Half(words: $0, hours: 0...11, added: 0, noon: 0, isInFront: false)
        }
        + phrases("pm, in the afternoon, م, nachmittags, de la tarde, de l'après-midi, da tarde").map {
            Half(words: $0, hours: 1...11, added: 12, noon: 12, isInFront: false)
        }
        + phrases("in the evening, abends, de la noche, du soir, مساء, مساءً, مساءاً, da noite").map {
            Half(words: $0, hours: 4...11, added: 12, noon: nil, isInFront: false)
        }
        + phrases("morgens, vormittags").map {
            Half(words: $0, hours: 0...11, added: 0, noon: nil, isInFront: false)
        }
        + phrases("午前").map { Half(words: $0, hours: 0...11, added: 0, noon: 0, isInFront: true) }
        + phrases("午後").map { Half(words: $0, hours: 0...11, added: 12, noon: 12, isInFront: true) }

    /// Units of a time alone.
    static let clockUnits = words("uhr uur u 時 点")
    /// Units of a time and of a delay.
    static let eitherUnits = words("h hs heure heures hora horas")
    static let halfHours = words("時半 点半")

    private static let hourUnits = eitherUnits.union(
        words("hr hrs hour hours std stunde stunden uren ore sa saat س ساعة ساعات 時間 時間後"))
    private static let minuteUnits = words(
        """
        m min mins minute minutes minuten minuto minutos minuut minuti dk dakika د دقيقة دقائق 分 分後
        """)

    /// The minutes in a unit of a delay.
    static func factor(_ unit: String) -> Int? {
        minuteUnits.contains(unit) ? 1 : hourUnits.contains(unit) ? 60 : nil
    }

    static func isUnit(_ word: String, of kind: Unit) -> Bool {
        kind == .minute ? minuteUnits.contains(word) : hourUnits.contains(word) || clockUnits.contains(word)
    }

    // MARK: - Times that nobody reads for sure

    private static let numberWords = words(
        """
        one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty
        ein eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreißig
        une deux trois quatre cinq sept huit neuf dix onze douze quinze vingt trente
        una dos tres cuatro cinco seis siete ocho nueve diez once doce treinta
        bir iki üç dört beş altı yedi sekiz dokuz on onbir oniki
        uno due tre quattro cinque sei sette otto nove dieci undici dodici
        十 十時
        الواحدة الثانية الثالثة الرابعة الخامسة السادسة السابعة الثامنة التاسعة العاشرة
        """)
    /// Words that make a time of a number.
    private static let clockWords = words(
        """
        half past quarter o'clock oclock clock halb viertel dreiviertel demie demi quart media cuarto buçuk buçukta
        çeyrek kala geçe mezza quarto النصف والنصف نصف الربع والربع ربع 頃 ごろ 時頃 時ごろ 分前 半
        """)
    /// Times of the day with a name.
    private static let noons = words("noon midday midnight mitternacht minuit medianoche 正午 零時 الظهر ظهرا")
    /// The same, and names of places as well.
    private static let namelikeNoons = words("midi mittag mittags mediodía mediodia öğlen öğle mezzogiorno mezzanotte")
    /// Another day, a limit or a choice.
    private static let qualifiers = words(
        """
        tomorrow tonight today until till before after between or
        morgen heute übermorgen bis vor nach zwischen oder
        demain aujourd'hui jusqu'à avant après entre ou
        mañana hoy hasta antes después o
        yarın bugün önce kadar veya غدا غدًا اليوم قبل حتى أو 明日 今日 まで 以降
        """)
    private static let fillers = words(
        """
        to the of from now time s d l o and und et y e de del la las el le les du des menos moins minus zu auf sonra
        by ab ca circa alle
        """)

    static func isNumber(_ part: Part) -> Bool {
        switch part {
        case .number: true
        case .word(let word): numberWords.contains(word)
        case .sign(let sign): sign == "½"
        }
    }

    static func isNoon(_ part: Part) -> Bool {
        guard case .word(let word) = part else { return false }
        return noons.contains(word)
    }

    static func isNamelike(_ part: Part) -> Bool {
        guard case .word(let word) = part else { return false }
        return namelikeNoons.contains(word)
    }

    /// Whether a time beside it is another one than it says.
    static func isQualifier(_ part: Part) -> Bool {
        guard case .word(let word) = part else { return false }
        return qualifiers.contains(word) || clockWords.contains(word)
    }

    /// Whether a number beside it is one of a time.
    static func saysTime(_ part: Part) -> Bool {
        guard case .word(let word) = part else { return false }
        return clockWords.contains(word) || clockUnits.contains(word) || halfHours.contains(word)
            || factor(word) != nil || halves.contains { $0.words == [part] }
    }

    /// Whether a text about a time may have it.
    static func isOfTime(_ part: Part) -> Bool {
        switch part {
        case .number(let digits): digits.count <= 4
        case .sign(let sign): "-–—/~〜'’+½".contains(sign) || colons.contains(sign)
        case .word(let word):
            numberWords.contains(word) || isNoon(part) || isNamelike(part) || saysTime(part)
                || others.contains(word)
        }
    }

    private static let others: Set<String> = {
        let phrases = (leads + ahead + endings + halves.map(\.words)).joined()
        let inPhrases = phrases.compactMap { part in if case .word(let word) = part { word } else { nil } }
        return qualifiers.union(fillers).union(inPhrases)
    }()

    private static func words(_ list: String) -> Set<String> {
        Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// Lists of parts, the longest first.
    private static func phrases(_ list: String) -> [[Part]] {
        list.split(separator: ",").map { MeetingTimeReader.parts(of: String($0)) }.sorted { $0.count > $1.count }
    }
}
