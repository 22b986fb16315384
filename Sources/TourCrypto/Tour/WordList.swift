/// The words of key names: 256 short English words that sound and look different and are inoffensive.
/// The order is part of the protocol. Source: `Protocol/01-identity.md`, "Names".
package enum WordList {
    /// Exactly 256.
    package static let words: [String] = """
        acorn agate alder almond amber anchor anvil apple apron arbor arrow aspen aster atlas attic autumn badge
        bagel bamboo banjo barley basil basket beacon beaver beech bell berry birch biscuit bison blanket blossom
        bluebird bonnet boulder breeze brick bridge brook bucket buffalo button cabin cactus camel candle canoe
        canyon carpet carrot castle cedar cello chalk cherry chestnut cider cinnamon citrus clarinet clock cloud
        clover cobalt cocoa comet compass copper coral cotton cougar cradle crane crayon cricket crystal cupboard
        curtain cushion cymbal cypress daisy dawn desert diamond dolphin domino donkey dove drum eagle easel echo
        ember emerald engine falcon fawn feather fennel fern fiddle finch flagon flame flannel flint flute forest
        fossil fountain fox galaxy garden garlic garnet gazelle geyser ginger glacier globe goblet granite grape
        gravel guitar hammer harbor harp hazel heron hickory honey horizon iceberg indigo iris island ivory ivy
        jacket jaguar jasmine jelly jigsaw juniper kayak kernel kettle kite kiwi koala ladder lagoon lantern lark
        lavender lemon lentil lilac linen lizard lobster locket lotus lynx magnet mango maple marble meadow melon
        mint mirror mitten moss muffin mustard nectar needle nutmeg oasis oboe ocean olive onyx opal orange orchid
        osprey otter oyster paddle panda papaya parsley peach pebble pelican pepper piano pillow pine planet plum
        pocket pony poplar poppy prairie puffin pumpkin quartz quill rabbit radish raven reef ribbon river robin
        rocket saffron salmon sandal satin seal shell sparrow spinach sponge squirrel stable starling summer sunrise
        swan teapot thistle thunder tiger timber tomato topaz trumpet tulip turtle umbrella velvet violin walnut
        willow window zebra zephyr
        """.split { $0 == " " || $0 == "\n" }.map(String.init)
}
