import ArgumentParser

await SimulateCommand.main()
