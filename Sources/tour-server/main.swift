await TourServerProgram.main()
