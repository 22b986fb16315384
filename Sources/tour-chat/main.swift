import TourCommands

TourChat.start()
