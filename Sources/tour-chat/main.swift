import TourCommands

await TourChat.main()
