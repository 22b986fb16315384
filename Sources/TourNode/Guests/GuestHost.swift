import TourModel
